#!/bin/sh
# Makes all that ships again, from games: nets/train.sh GAMES_FOLDER OUTPUT_FOLDER
#
# GAMES_FOLDER has chess/BAND.train.pgn.gz for 1000 to 2200, chess/all.train.tsv.gz, and
# xiangqi/{playok,ccpd,tournament,elephantchess}.{train,valid}.csv.gz. What is finished is not done
# again, and what was interrupted goes on, so the same command may be given as often as need be.
# `errare` is taken from the PATH, or from $ERRARE.
set -eu

games=$1
output=$2
errare=${ERRARE:-errare}
mkdir -p "$output/chess" "$output/xiangqi" "$output/runs"

# The look-ahead: four weights and a mate's for each band, under the strategy that ships.
for band in 1000 1100 1200 1300 1400 1500 1600 1700 1800 1900 2000 2100 2200; do
    weights=$output/chess/$band.toml
    [ -e "$weights" ] || "$errare" infer "$games/chess/$band.train.pgn.gz" \
        --every 5 --limit 10000 --hold-out 0 --output "$weights"
done

# What people know by heart.
[ -e "$output/chess/openings.toml" ] || "$errare" book "$games/chess/all.train.tsv.gz" \
    --unrated 0.2 --output "$output/chess/openings.toml"
[ -e "$output/xiangqi/openings.toml" ] || "$errare" book "$games/xiangqi/playok.train.csv.gz" \
    --prior 10 --reach 75 --output "$output/xiangqi/openings.toml"

# The networks of errare.
[ -e "$output/chess/full.toml" ] || "$errare" infer "$games/chess/all.train.tsv.gz" \
    --attributes full --rated --rating 900..2400 --both --speed blitz,rapid,classical \
    --plies 0.. --opening 0.5 --epochs 2.8 --members 2 --run-folder "$output/runs/chess" \
    --output "$output/chess/full.toml"
network=$output/runs/xiangqi-everybody.toml
[ -e "$network" ] || "$errare" infer "$games/xiangqi/playok.train.csv.gz" \
    "$games/xiangqi/ccpd.train.csv.gz" "$games/xiangqi/tournament.train.csv.gz" \
    --attributes full --mirror --plies 0.. --epochs 1 --dropout 0.1 --members 2 \
    --run-folder "$output/runs/xiangqi-everybody" --output "$network"
[ -e "$output/xiangqi/full.toml" ] || "$errare" infer "$games/xiangqi/playok.train.csv.gz" \
    --attributes full --mirror --plies 0.. --epochs 2 --dropout 0.15 --learning-rate 0.0008 \
    --start-from "$network" --valid "$games/xiangqi/playok.valid.csv.gz" \
    --run-folder "$output/runs/xiangqi" --output "$output/xiangqi/full.toml"

# The memory of moves, for xiangqi: everybody's first, then PlayOK's, then a net for each range.
mkdir -p "$output/xiangqi/memory"
set_of() { # SET FILES...: prepares the files of games as a set, once
    set=$1; shift
    [ -e "$set.toml" ] || "$errare" prepare "$set" --train "$@" \
        --valid "$games/xiangqi/playok.valid.csv.gz" --men
}
set_of "$output/runs/everybody" "$games/xiangqi/playok.train.csv.gz" \
    "$games/xiangqi/ccpd.train.csv.gz" "$games/xiangqi/tournament.train.csv.gz" \
    "$games/xiangqi/elephantchess.train.csv.gz"
set_of "$output/runs/playok" "$games/xiangqi/playok.train.csv.gz"
memory=$output/runs/memory
[ -e "$memory-1.toml" ] || "$errare" train "$memory-1" --output "$memory-1" \
    --prepared "$output/runs/everybody" --valid-moves 14000 --set m=20 --set RHD=512 --set RA=tanh \
    --set BN=no --set '#FC=0' --set RDP=0.05 --set DP=0.1 --epochs 3 --batch 64 --targets 30 \
    --learning-rate 0.008 --legal-share 0.7
[ -e "$memory-2.toml" ] || "$errare" train "$memory-2" --output "$memory-2" \
    --prepared "$output/runs/playok" --start-from "$memory-1" --set RDP=0.1 --set DP=0.3 --epochs 3 \
    --batch 128 --targets 8 --learning-rate 0.002 --legal-share 0.7 --average 0.4
for range in 1000 1100 1200 1300 1400 1500 1600; do
    net=$output/xiangqi/memory/$range
    [ -e "$net.toml" ] || "$errare" train "$memory-$range" --output "$net" \
        --prepared "$output/runs/playok" --range "$range" --start-from "$memory-2" --epochs 1 \
        --batch 64 --targets 8 --learning-rate 0.00015 --legal-share 0.7 --average 0.5
done
