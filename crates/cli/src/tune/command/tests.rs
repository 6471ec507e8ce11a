//! Commands of a shell in place of a compiler: they write reports as the plugin does.

use std::path::PathBuf;

use super::*;

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("poly-command-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A "compiler" that makes a program of the profile, and a report about a function. In the program,
/// `force` is fast and `disable` prints something else.
fn build(folder: &Folder) -> String {
    let program = folder.0.join("program").display().to_string();
    format!(
        r#"
report=$(echo "$POLY_OPTS" | sed -n 's/.*report=\([^;]*\).*/\1/p')
profile=$(echo "$POLY_OPTS" | sed -n 's/.*profile=\([^;]*\).*/\1/p')
words=$(test -n "$profile" && sed -n 's/.*: //p' "$profile")
test "$words" = broken && {{ echo "no such option" >&2; exit 1; }}
test -n "$report" && echo '{{"version": 1, "function": "f", "records": [{{"outcome": "optimized", "model":
  {{"fingerprint": "ab", "statements": [], "plan": {{"loops": "'"$words"'", "bands": []}}}}}}]}}' > "$report/f.json"
time=2.5; text=same
test "$words" = force && time=1.25
test "$words" = disable && text=other
echo "echo $text; echo 'time: $time'; echo 'time: 0.5 s' >&2" > {program}
"#
    )
}

fn commands(folder: &Folder) -> Commands {
    let program = folder.0.join("program");
    Commands {
        build: Some(build(folder)),
        run: vec!["sh".into(), program.clone().into()],
        time_after: Some("time:".to_owned()),
        products: vec![program],
        ..Commands::default()
    }
}

fn profile_of(words: &str) -> Subject {
    Subject::Profile(format!("nest ab of f: {words}\n"))
}

#[test]
fn programs_are_built_run_and_compared() {
    let folder = Folder::new("all");
    let mut shop = Workshop::new(commands(&folder)).unwrap();
    assert_eq!(shop.functions().unwrap()[0].name, "f");
    let model = Subject::Profile(String::new());
    let Ok(Look::Loops(first)) = shop.look(&model) else { panic!("it can be built") };
    assert_eq!(shop.run(&model), Ok(Run::Time(3.0)));
    assert!(matches!(shop.look(&profile_of("force")), Ok(Look::Loops(hash)) if hash != first));
    assert_eq!(shop.run(&profile_of("force")), Ok(Run::Time(1.75)));
    // Both are kept.
    assert_eq!(shop.run(&model), Ok(Run::Time(3.0)));
    assert_eq!(shop.run(&profile_of("force")), Ok(Run::Time(1.75)));
    assert_eq!(shop.run(&profile_of("disable")), Ok(Run::Wrong));
    let Ok(Look::Impossible(why)) = shop.look(&profile_of("broken")) else { panic!("it cannot be built") };
    assert_eq!(why, "the build command fails: no such option");
    // Two runs without Poly said what is right.
    assert_eq!(shop.runs(), 7);
}

#[test]
fn one_command_may_do_both() {
    let folder = Folder::new("both");
    let script = format!("{}\nsh {}", build(&folder), folder.0.join("program").display());
    let run = vec!["sh".into(), "-c".into(), script.into()];
    let both = Commands { build: None, products: Vec::new(), run, ..commands(&folder) };
    let mut shop = Workshop::new(both).unwrap();
    shop.functions().unwrap();
    assert!(matches!(shop.look(&profile_of("force")), Ok(Look::Loops(_))));
    let runs = shop.runs();
    assert_eq!(shop.run(&profile_of("force")), Ok(Run::Time(1.75)));
    // The run that was needed to build it counts.
    assert_eq!(shop.runs(), runs);
    assert_eq!(shop.run(&profile_of("force")), Ok(Run::Time(1.75)));
    assert_eq!(shop.runs(), runs + 1);
}

#[test]
fn commands_that_cannot_be_tuned_are_explained() {
    let folder = Folder::new("wrong");
    let error = |commands: Commands| {
        let mut shop = Workshop::new(commands).unwrap();
        shop.functions().map(|_| ()).and_then(|()| shop.expect()).unwrap_err()
    };
    let good = || commands(&folder);
    let nothing = error(Commands { build: Some("true".to_owned()), ..good() });
    assert!(nothing.contains("cannot be copied"), "{nothing}");
    let nothing = error(Commands { build: Some("true".to_owned()), products: Vec::new(), ..good() });
    assert!(nothing.contains("the build command has compiled no loops with Poly"), "{nothing}");
    let fails = error(Commands { build: Some("echo why >&2; false".to_owned()), ..good() });
    assert_eq!(fails, "why\nerror: the build command fails");
    let status = error(Commands { run: vec!["sh".into(), "-c".into(), "echo time: 1; exit 3".into()], ..good() });
    assert_eq!(status, "the command fails without Poly: its exit status is 3");
    let changing = "echo $$; echo time: 1";
    let random = error(Commands { run: vec!["sh".into(), "-c".into(), changing.into()], ..good() });
    assert!(random.contains("--ignore-lines"), "{random}");
    let silent = error(Commands { time_after: Some("seconds".to_owned()), ..good() });
    assert_eq!(silent, "the command prints no line that begins with 'seconds' and a number");
}

#[test]
fn numbers_stand_behind_a_text() {
    let printed = "time: 1.5 s\n  time = 2e-3\nno time: 9\ntime: soon\n";
    assert_eq!(times_after(printed, "time"), [1.5, 2e-3]);
}
