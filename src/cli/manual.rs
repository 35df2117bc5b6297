//! The table of options as the manual shows it.

use super::flags::{flag, shown_default};
use crate::engine::OPTIONS;

/// The table of options in Markdown.
pub fn options() -> String {
    let mut table =
        String::from("| UCI and UCCI | command line | takes | default | |\n|--|--|--|--|--|\n");
    for option in OPTIONS {
        table += &format!(
            "| `{}` | `--{}` | {} | {} | {} |\n",
            option.name,
            flag(option),
            option.kind,
            shown_default(option),
            option.help,
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_shows_the_table_as_it_is() {
        let readme = include_str!("../../README.md");
        assert!(readme.contains(&options()), "README.md lacks the output of `errare options`");
    }
}
