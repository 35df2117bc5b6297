//! Today's date, for the cards of what is made.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 86_400;

/// Today as year-month-day, in universal time.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = date_of((since.as_secs() / SECONDS_A_DAY) as u32);
    format!("{year}-{month:02}-{day:02}")
}

/// The year, month and day of a number of days after 1970-01-01.
fn date_of(days: u32) -> (u32, u32, u32) {
    let mut left = days;
    for year in 1970.. {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let february = if is_leap { 29 } else { 28 };
        for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            if left < length {
                return (year, month, left + 1);
            }
            left -= length;
        }
    }
    unreachable!("years go on for ever")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_through_leap_years() {
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(365 + 365 + 31 + 28), (1972, 2, 29));
        // 2000 was a leap year, 2100 will be none
        assert_eq!(date_of(11_016), (2000, 2, 29));
        assert_eq!(date_of(11_017), (2000, 3, 1));
        assert_eq!(date_of(47_540), (2100, 2, 28));
        assert_eq!(date_of(47_541), (2100, 3, 1));
    }
}
