//! Boards drawn in SVG.
//!
//! The pieces are simple shapes of our own, each in a square of 45 units; a page defines them
//! once with [`SYMBOLS`] and every board uses them.

use std::fmt::Write;

use shakmaty::{Board, Color, Move, Role, Square};

/// The side of a square in units.
const SIDE: i32 = 45;

/// An element of SVG that shows nothing and defines the pieces.
pub const SYMBOLS: &str = r#"<svg width="0" height="0" style="position:absolute"><defs>
<symbol id="pawn" viewBox="0 0 45 45"><circle cx="22.5" cy="14.5" r="6"/><path d="M15 36 Q16 27 20 21 H25 Q29 27 30 36 Z"/><path d="M12 36 H33 V40 H12 Z"/></symbol>
<symbol id="knight" viewBox="0 0 45 45"><path d="M13 36 C14 29 21 27 22 22 C20 24 18 24 17 24 L13 28 C10 29 8 27 9 24 L14 14 C15 11 18 10 20 9 L22 5 L25 9 C33 12 35 24 34 36 Z"/><circle class="eye" cx="18" cy="15.5" r="1.4"/><path d="M11 36 H35 V40 H11 Z"/></symbol>
<symbol id="bishop" viewBox="0 0 45 45"><circle cx="22.5" cy="7.5" r="2.8"/><path d="M22.5 10.5 C31 16 31 25 27.5 29 H17.5 C14 25 14 16 22.5 10.5 Z"/><path class="line" d="M22.5 15 V23 M18.5 19 H26.5"/><path d="M17 29 H28 L29 33 H16 Z"/><path d="M11 36 Q17 33 22.5 33 Q28 33 34 36 V40 H11 Z"/></symbol>
<symbol id="rook" viewBox="0 0 45 45"><path d="M12 7 H17 V10 H20 V7 H25 V10 H28 V7 H33 V15 L30 18 L31 33 H14 L15 18 L12 15 Z"/><path d="M14 33 H31 V36 H14 Z"/><path d="M11 36 H34 V40 H11 Z"/></symbol>
<symbol id="queen" viewBox="0 0 45 45"><path d="M8 13 L15 24 L15.5 10 L22.5 23 L29.5 10 L30 24 L37 13 L32 34 H13 Z"/><circle cx="8" cy="12" r="2.4"/><circle cx="15.5" cy="9" r="2.4"/><circle cx="29.5" cy="9" r="2.4"/><circle cx="37" cy="12" r="2.4"/><path d="M12 34 H33 V40 H12 Z"/></symbol>
<symbol id="king" viewBox="0 0 45 45"><path d="M21 4 H24 V7 H27 V10 H24 V15 H21 V10 H18 V7 H21 Z"/><path d="M22.5 18 C26 12 38 13 36.5 21 C35.5 26 32 29 32 34 H13 C13 29 9.5 26 8.5 21 C7 13 19 12 22.5 18 Z"/><path class="line" d="M22.5 18 V34"/><path d="M12 34 H33 V40 H12 Z"/></symbol>
<marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto"><path d="M0 0 L10 5 L0 10 Z"/></marker>
<marker id="tip-other" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto"><path d="M0 0 L10 5 L0 10 Z"/></marker>
</defs></svg>"#;

/// The rules of style that the drawings want.
pub const STYLE: &str = "
.board .light { fill: #eeeed8 } .board .dark { fill: #a3b899 }
.board use { stroke-width: 1.5; stroke-linejoin: round }
.board .white { fill: #fff; stroke: #222 } .board .black { fill: #3a3a3a; stroke: #000 }
.board .played { stroke: #c8501e; fill: none; stroke-width: 7; opacity: .8; marker-end: url(#tip) }
.board .other { stroke: #2b5d9b; fill: none; stroke-width: 5; opacity: .7; stroke-dasharray: 9 6; marker-end: url(#tip-other) }
#tip path { fill: #c8501e } #tip-other path { fill: #2b5d9b }
.line, .eye { fill: none } .white .eye { fill: #222 }
.board text { font: 11px sans-serif; fill: #666 }
";

/// A board seen by `seen_by`, with an arrow for the move played and one for another move.
pub fn draw(board: &Board, seen_by: Color, played: Move, other: Option<Move>) -> String {
    let margin = 14;
    let size = 8 * SIDE;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"-{margin} 0 {} {}\" role=\"img\">",
        size + margin,
        size + margin
    );
    for square in Square::ALL {
        let (x, y) = corner(square, seen_by);
        let shade = if square.is_light() { "light" } else { "dark" };
        push(
            &mut svg,
            format_args!(
                "<rect class=\"{shade}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
            ),
        );
    }
    for number in 0..8 {
        let (file, rank) = match seen_by {
            Color::White => (number, 7 - number),
            Color::Black => (7 - number, number),
        };
        let middle = number * SIDE as u32 + SIDE as u32 / 2;
        let letter = char::from(b'a' + file as u8);
        push(
            &mut svg,
            format_args!(
                "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{letter}</text>\
             <text x=\"-9\" y=\"{}\">{}</text>",
                size + 11,
                middle + 4,
                rank + 1
            ),
        );
    }
    for (square, piece) in board.clone() {
        let (x, y) = corner(square, seen_by);
        let color = if piece.color.is_white() { "white" } else { "black" };
        push(
            &mut svg,
            format_args!(
                "<use class=\"{color}\" href=\"#{}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" \
             height=\"{SIDE}\"/>",
                name(piece.role)
            ),
        );
    }
    for (m, class) in other.map(|m| (m, "other")).into_iter().chain([(played, "played")]) {
        let (from, to) = ends(m);
        let ((x1, y1), (x2, y2)) = (corner(from, seen_by), corner(to, seen_by));
        let half = SIDE / 2;
        push(
            &mut svg,
            format_args!(
                "<path class=\"{class}\" d=\"M{} {} L{} {}\"/>",
                x1 + half,
                y1 + half,
                x2 + half,
                y2 + half
            ),
        );
    }
    svg + "</svg>"
}

fn push(svg: &mut String, part: std::fmt::Arguments<'_>) {
    svg.write_fmt(part).expect("a string takes up whatever is written");
}

/// Where a square's upper left corner is.
fn corner(square: Square, seen_by: Color) -> (i32, i32) {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    match seen_by {
        Color::White => (file * SIDE, (7 - rank) * SIDE),
        Color::Black => ((7 - file) * SIDE, rank * SIDE),
    }
}

/// From where to where an arrow for a move goes; castling is the king's move.
fn ends(m: Move) -> (Square, Square) {
    let to = m.castling_side().map_or(m.to(), |side| {
        let rank = m.to().rank();
        Square::from_coords(side.king_to_file(), rank)
    });
    (m.from().unwrap_or(to), to)
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::{attributes::Positioned, chess, game::Game as _};

    #[test]
    fn every_piece_is_drawn_where_it_stands() {
        let game = chess::Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castling = game.parse_move("e1g1", chess::Castling::Standard).unwrap();
        let svg = draw(game.position().board(), Color::White, castling, None);
        assert_eq!(svg.matches("<use").count(), 3);
        assert_eq!(svg.matches("<rect").count(), 64);
        assert!(svg.contains("class=\"white\" href=\"#rook\" x=\"315\" y=\"315\""), "{svg}");
        assert!(svg.contains("d=\"M202 337 L292 337\""), "the king goes from e1 to g1: {svg}");
        let turned = draw(game.position().board(), Color::Black, castling, Some(castling));
        assert!(turned.contains("class=\"white\" href=\"#rook\" x=\"0\" y=\"0\""), "{turned}");
        assert!(turned.contains("class=\"other\""));
    }
}
