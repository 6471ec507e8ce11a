//! Schedules written in every format and given back.

mod support;

use poly_exchange::{Format, ScopText, why_illegal};
use poly_presburger::Budget;
use poly_scop::{
    Config, ExchangeFormat, Given, Outcome, Profitability, Reason, Scheduler, Scop, analyse, export, optimize, schedule,
};
use support::{hoisted_product, lu, promoted_matmul};

const FORMATS: [ExchangeFormat; 3] =
    [ExchangeFormat::Poly, ExchangeFormat::Other(Format::Jscop), ExchangeFormat::Other(Format::OpenScop)];

fn exported(scop: &Scop, format: ExchangeFormat) -> String {
    export(scop, &Config::standard(), format, &mut Budget::unlimited()).expect("no limit")
}

fn given(text: &str, format: ExchangeFormat) -> Config {
    let given = Given::read(text, format, &mut Budget::unlimited()).expect("it can be read");
    Config {
        scheduler: Scheduler::Given,
        given: Some(given),
        profitability: Profitability::Ignored,
        ..Config::standard()
    }
}

#[test]
fn what_is_exported_can_be_given_back() {
    for scop in [promoted_matmul(100), hoisted_product(10), lu(50)] {
        let mut budget = Budget::unlimited();
        let analysis = analyse(scop.clone(), false, &mut budget).expect("no limit");
        let expected = schedule(&analysis, &Config::standard(), &mut budget).expect("no limit").schedule_map();
        for format in FORMATS {
            let config = given(&exported(&scop, format), format);
            let tree = schedule(&analysis, &config, &mut budget).expect("it is legal");
            // The numbers of sequences may have changed, but not the order.
            let pairs = |times: &poly_presburger::UnionMap| times.apply_range(&times.reverse());
            let same = pairs(&tree.schedule_map()).is_equal(&pairs(&expected), &mut budget).expect("no limit");
            assert!(same, "{tree}");
            let Outcome::Optimized(_) = optimize(scop.clone(), &config) else { panic!("losses are ignored") };
        }
    }
}

#[test]
fn exported_texts_can_be_judged_by_themselves() {
    for format in [Format::Jscop, Format::OpenScop] {
        let mut budget = Budget::unlimited();
        let text = exported(&lu(50), ExchangeFormat::Other(format));
        let scop = ScopText::read(&text, format, &mut budget).expect("it can be read");
        assert_eq!(why_illegal(&scop, &mut budget).expect("a verdict"), None);
    }
}

#[test]
fn illegal_and_foreign_texts_are_refused() {
    let refused = |text: &ScopText, format: Format| {
        let format = ExchangeFormat::Other(format);
        let ExchangeFormat::Other(inner) = format else { unreachable!("it is one of other tools") };
        match optimize(lu(50), &given(&text.write(inner), format)) {
            Outcome::Unchanged(Reason::Refused(what)) => what,
            other => panic!("{other:?}"),
        }
    };
    for format in [Format::Jscop, Format::OpenScop] {
        let text = exported(&lu(50), ExchangeFormat::Other(format));
        let read = ScopText::read(&text, format, &mut Budget::unlimited()).expect("it can be read");
        let mut backwards = read.clone();
        for statement in &mut backwards.statements {
            let depth = statement.schedule.space().dim(poly_presburger::DimKind::Out);
            let dims: Vec<String> = (0..depth).map(|d| format!("t{d}")).collect();
            let back: Vec<String> = dims.iter().map(|d| format!("-{d}")).collect();
            let reversal = format!("{{ [{}] -> [{}] }}", dims.join(", "), back.join(", "));
            statement.schedule = statement.schedule.apply_range(&reversal.parse().expect("parses"));
        }
        let what = refused(&backwards, format);
        assert!(what.contains("must run before") && what.contains("dependence)"), "{what}");
        let mut other = read.clone();
        other.statements[0].accesses.pop();
        assert!(refused(&other, format).contains("accesses of S0"), "{}", refused(&other, format));
        let mut fewer = read.clone();
        fewer.statements.pop();
        assert!(refused(&fewer, format).contains("statements"), "{}", refused(&fewer, format));
    }
}
