use std::ffi::OsString;

use super::super::contents::files_of;
use super::super::manifest::MANIFEST;
use super::*;

fn guest() -> Content {
    Content::Scores("guest".into())
}

fn wanted(place: &Path) -> ResultPlace {
    ResultPlace { place: place.to_path_buf(), content: guest(), inputs: vec![], force: false }
}

/// Writes a result with one file and puts it in place.
fn write(wanted: ResultPlace, text: &str) -> Result<()> {
    let stage = Stage::beside(wanted)?;
    fs::write(stage.path().join("a.txt"), text).expect("written");
    let files = files_of(stage.path())?;
    let mark = match &stage.wanted.content {
        Content::Scores(suite) => serde_json::json!({"tool": "verism", "suite": suite, "files": files}),
        _ => serde_json::json!({"tool": "verism", "files": files}),
    };
    fs::write(stage.path().join(MANIFEST), mark.to_string()).expect("written");
    stage.put_in_place()
}

fn names(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.file_name()).collect();
    names.sort();
    names
}

fn text(place: &Path) -> String {
    fs::read_to_string(place.join("a.txt")).expect("read")
}

/// A folder with one result in it.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("a folder");
    let place = home.path().join("out");
    write(wanted(&place), "one").expect("in place");
    (home, place)
}

/// Asserts that a write is refused and loses nothing; gives what it says.
fn refused(wanted: ResultPlace) -> Defect {
    let place = wanted.place.clone();
    let before = (text(&place), names(&place));
    let defect = write(wanted, "two").expect_err("refused").defect();
    assert_eq!(defect.code, "bad_output");
    assert_eq!((text(&place), names(&place)), before);
    defect
}

#[test]
fn a_result_replaces_an_earlier_one_whole() {
    let (home, place) = home();
    write(wanted(&place), "two").expect("in place");
    assert_eq!((text(&place).as_str(), names(home.path())), ("two", vec!["out".into()]));
}

#[test]
fn an_unfinished_result_changes_nothing() {
    let (home, place) = home();
    let stage = Stage::beside(wanted(&place)).expect("a stage");
    fs::write(stage.path().join("a.txt"), "half").expect("written");
    drop(stage);
    assert_eq!((text(&place).as_str(), names(home.path())), ("one", vec!["out".into()]));
}

#[test]
fn what_killed_processes_left_is_removed_and_the_living_are_not() {
    let (home, place) = home();
    let at = |name: &str| home.path().join(name);
    for left in [".out.verism-aaaaaa", ".out.verism-bbbbbb"] {
        fs::create_dir(at(left)).expect("created");
        fs::write(at(left).join("a.txt"), "half").expect("written");
    }
    for left in [".out.verism-aaaaaa.lock", ".out.verism-cccccc.lock", ".out.verism.lock"] {
        fs::write(at(left), "").expect("written");
    }
    fs::create_dir(at(".out.verism-mine")).expect("a folder that only looks like ours");
    let live = Stage::beside(wanted(&place)).expect("a stage");
    let other = Stage::beside(wanted(&place)).expect("a second stage");
    assert!(live.path().exists() && other.path().exists());
    drop((live, other));
    assert_eq!(names(home.path()), [".out.verism-mine", "out"]);
}

#[test]
fn what_was_moved_aside_by_a_killed_process_comes_back() {
    let (home, place) = home();
    fs::rename(&place, home.path().join(".out.verism-aaaaaa.old")).expect("moved");
    fs::create_dir(home.path().join(".out.verism-aaaaaa")).expect("created");
    drop(Stage::beside(wanted(&place)).expect("a stage"));
    assert_eq!((text(&place).as_str(), names(home.path())), ("one", vec!["out".into()]));
}

#[test]
fn two_steps_do_what_one_does() {
    let home = tempfile::tempdir().expect("a folder");
    let (new, old) = (home.path().join("new"), home.path().join("old"));
    for (folder, text) in [(&new, "two"), (&old, "one")] {
        fs::create_dir(folder).expect("created");
        fs::write(folder.join("a.txt"), text).expect("written");
    }
    super::super::stage::swap_in_two(&new, &old).expect("swapped");
    assert_eq!((text(&old).as_str(), names(home.path())), ("two", vec!["old".into()]));
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let home = tempfile::tempdir().expect("a folder");
    fs::write(home.path().join("thesis.doc"), "years of work").expect("written");
    let refused = write(ResultPlace { force: true, ..wanted(home.path()) }, "two").expect_err("refused");
    assert_eq!(refused.defect().code, "bad_output");
    assert_eq!(names(home.path()), ["thesis.doc"]);
}

#[test]
fn notes_and_edited_files_are_never_lost() {
    let (_home, place) = home();
    fs::write(place.join("notes.txt"), "mine").expect("written");
    assert_eq!(refused(wanted(&place)).value.as_deref(), Some("notes.txt"));
    assert_eq!(refused(ResultPlace { force: true, ..wanted(&place) }).value.as_deref(), Some("notes.txt"));
    fs::remove_file(place.join("notes.txt")).expect("removed");
    fs::write(place.join("a.txt"), "eno").expect("edited");
    assert_eq!(refused(ResultPlace { force: true, ..wanted(&place) }).value.as_deref(), Some("a.txt"));
}

#[test]
fn notes_added_while_the_job_runs_are_not_lost_either() {
    let (home, place) = home();
    let stage = Stage::beside(wanted(&place)).expect("a stage");
    fs::write(place.join("notes.txt"), "mine").expect("written");
    stage.put_in_place().expect_err("refused");
    assert_eq!(names(&place), ["a.txt", MANIFEST, "notes.txt"]);
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn another_kind_needs_force() {
    let (_home, place) = home();
    let comparison = |force| ResultPlace { content: Content::Comparison, force, ..wanted(&place) };
    assert_eq!(refused(comparison(false)).value.as_deref(), Some("scores of the suite guest"));
    write(comparison(true), "two").expect("in place");
    assert_eq!(text(&place), "two");
    refused(wanted(&place));
}

#[test]
fn inputs_in_and_at_the_place_are_not_lost() {
    let (home, place) = home();
    for input in [place.join("a.txt"), place.clone(), place.join("../out")] {
        let defect = refused(ResultPlace { inputs: vec![input.clone()], force: true, ..wanted(&place) });
        assert_eq!(defect.value, Some(input.display().to_string()));
    }
    // A result below an input folder is not read; a demo, which holds logs, is.
    write(ResultPlace { inputs: vec![home.path().to_path_buf()], ..wanted(&place) }, "two").expect("not read");
    let demo = home.path().join("demo");
    fs::create_dir(&demo).expect("a folder");
    fs::write(demo.join("manifest.json"), r#"{"tool":"verism","demo":{},"files":[]}"#).expect("written");
    fs::write(demo.join("a.txt"), "").expect("written");
    let inputs = vec![home.path().to_path_buf()];
    refused(ResultPlace { inputs, force: true, content: Content::Demo, ..wanted(&demo) });
    fs::write(home.path().join("out.csv"), "").expect("written");
    write(ResultPlace { inputs: vec![home.path().join("out.csv")], ..wanted(&place) }, "two")
        .expect("beside is not in");
}

#[cfg(unix)]
#[test]
fn behind_a_link_the_folder_is_replaced_and_the_link_stays() {
    let (home, place) = home();
    let link = home.path().join("link");
    std::os::unix::fs::symlink(&place, &link).expect("linked");
    write(wanted(&link), "two").expect("in place");
    assert!(link.is_symlink());
    assert_eq!((text(&place).as_str(), names(home.path())), ("two", vec!["link".into(), "out".into()]));
}

#[test]
fn of_many_writers_each_puts_its_whole_result_in_place() {
    let home = tempfile::tempdir().expect("a folder");
    let place = home.path().join("deep/out");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let place = &place;
            scope.spawn(move || {
                for turn in 0..10 {
                    write(wanted(place), &format!("{writer} {turn}")).expect("in place");
                }
            });
        }
    });
    assert!(text(&place).ends_with(" 9"), "the last one was somebody's last");
    assert_eq!(names(&home.path().join("deep")), ["out"]);
}

#[test]
fn a_long_name_can_be_written_to() {
    let home = tempfile::tempdir().expect("a folder");
    let place = home.path().join("x".repeat(250));
    write(wanted(&place), "one").expect("in place");
    write(wanted(&place), "two").expect("in place");
    assert_eq!((text(&place).as_str(), names(home.path()).len()), ("two", 1));
}

#[test]
fn what_is_half_done_stays_for_the_next_writer_and_for_one_at_a_time() {
    let (home, place) = home();
    let stage = Stage::take_up(wanted(&place)).expect("a stage");
    fs::write(stage.path().join("half.txt"), "half").expect("written");
    let second = Stage::take_up(wanted(&place)).expect_err("refused").defect();
    assert_eq!((second.code.as_ref(), text(&place).as_str()), ("in_use", "one"));
    drop(stage);
    // Whoever writes at once sweeps only what nobody will take up.
    write(wanted(&place), "two").expect("in place");
    let stage = Stage::take_up(wanted(&place)).expect("taken up");
    assert_eq!(fs::read_to_string(stage.path().join("half.txt")).expect("read"), "half");
    fs::write(stage.path().join("a.txt"), "three").expect("written");
    stage.put_in_place().expect("in place");
    assert_eq!((text(&place).as_str(), names(home.path())), ("three", vec!["out".into()]));
}

#[test]
fn what_was_moved_aside_for_a_half_done_stage_comes_back() {
    let (home, place) = home();
    fs::rename(&place, home.path().join(".out.verism.half.old")).expect("killed in between");
    drop(Stage::take_up(wanted(&place)).expect("a stage"));
    assert_eq!(text(&place), "one");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_not_replaced() {
    let home = tempfile::tempdir().expect("a folder");
    let link = home.path().join("link");
    std::os::unix::fs::symlink(home.path().join("nowhere"), &link).expect("a link");
    assert_eq!(write(wanted(&link), "one").expect_err("refused").defect().code, "bad_output");
    assert!(link.is_symlink());
}

#[cfg(target_os = "linux")]
#[test]
fn a_mount_point_is_refused_before_the_work() {
    assert!(is_mount_point(Path::new("/proc")) && !is_mount_point(Path::new("/proc/self")));
    let defect = Stage::beside(wanted(Path::new("/proc"))).expect_err("refused").defect();
    assert_eq!(defect.code, "bad_output");
}
