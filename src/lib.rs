//! Errare plays chess and xiangqi the way people of a given strength play them.
pub mod attributes;
pub mod chess;
pub mod game;
pub mod model;
pub mod player;
pub mod protocol;
pub mod xiangqi;
pub mod xqsv;
