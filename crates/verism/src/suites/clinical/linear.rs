//! The time is linear in the answer: four times the text takes about four times the steps, on one line and without a full stop.

use super::extract::ByDefault;
use super::extract::analysis::Analysis;
use super::extract::engine::Engine;
use super::extract::mention::Status;
use super::pack::load_built_in;

/// Things looked at while a text is read, its facts are extracted and its patterns judged.
fn steps(engine: &Engine, text: &str) -> u64 {
    let mut analysis = Analysis::default();
    analysis.read(engine, text, &[]);
    let extracted = analysis.extract(engine, &[], ByDefault(Status::Unasserted));
    let judged = analysis.occurrences.iter().filter_map(|occurrence| analysis.pushed(engine, occurrence)).count();
    // What was found grows with the text too.
    assert!(extracted.facts.len() + judged > 0, "{}", text.chars().take(60).collect::<String>());
    analysis.all_steps()
}

#[test]
fn four_times_the_text_takes_four_times_the_steps() {
    let engine = Engine::new(load_built_in().pack);
    for unit in [
        "메트포르민 ",
        "메트포르민을 복용하세요 ",
        "메트포르민하고 ",
        "고혈압이 있으시고 당뇨병 혈압 131/74 ",
        "바나나는 좋지만 피하면 위험이 없고 ",
        "바나나를 드시면 ",
        "제한 없이 바나나 위험하지 않은 이부프로펜 ",
        "혈압 혈당 2) 체중 12 ",
        "metformin or aspirin ",
        "no metformin, if you take aspirin over the ibuprofen works ",
        "you should avoid bananas but eat them so metformin is not ",
        "피해야 할 고혈압 ",
        "for example metformin such as aspirin like over ",
        "67세 남성 67-year-old man with diabetes ",
        "술은 괜찮지 않은 alcohol is fine people say ",
        "메트포르민이나를가이나을",
    ] {
        let text = |count: usize| unit.repeat(count);
        let (small, large) = (steps(&engine, &text(250)), steps(&engine, &text(1000)));
        let ratio = large as f64 / small as f64;
        assert!(ratio < 4.4, "{unit:?}: {small} steps, then {large}, {ratio:.2} times as many");
    }
}

#[test]
fn a_tail_of_a_million_syllables_is_parsed_once() {
    let engine = Engine::new(load_built_in().pack);
    let text = format!("메트포르민{}를", "이나".repeat(50_000));
    let mut analysis = Analysis::default();
    analysis.read(&engine, &text, &[]);
    assert_eq!(analysis.names.len(), 1);
    assert!(analysis.all_steps() < 1_000_000, "{}", analysis.all_steps());
}
