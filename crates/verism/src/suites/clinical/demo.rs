//! A small synthetic sample set: eight made-up patients, four Korean and four English, each asked five questions in two
//! experiments. The plain model slips here and there; the agent looks things up, and once says nothing.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::error::{Error, Result};

/// A patient, as the record and as answers name what it holds.
struct Patient {
    case: &'static str,
    korean: bool,
    age: u32,
    sex: &'static str,
    /// In the record, and in an answer.
    condition: (&'static str, &'static str),
    drug: (&'static str, &'static str),
    /// A drug that the patient does not take.
    other_drug: &'static str,
    /// Id, value with unit in the record, name in an answer, a wrong value.
    lab: (&'static str, &'static str, &'static str, &'static str),
    pressure: (u32, u32),
    /// Advice about food that is not safe for this patient.
    unsafe_food: &'static str,
}

const PATIENTS: [Patient; 8] = [
    Patient {
        case: "DEMO_DM",
        korean: true,
        age: 67,
        sex: "남성",
        condition: ("Type 2 Diabetes Mellitus", "제2형 당뇨병"),
        drug: ("Metformin 500 MG", "메트포르민"),
        other_drug: "글리메피리드",
        lab: ("hba1c", "8.4%", "당화혈색소", "7.1%"),
        pressure: (131, 74),
        unsafe_food: "식사 때 술은 괜찮습니다.",
    },
    Patient {
        case: "DEMO_CKD",
        korean: true,
        age: 58,
        sex: "여성",
        condition: ("Chronic kidney disease stage 3 (disorder)", "만성 콩팥병"),
        drug: ("Losartan Potassium 50 MG Oral Tablet", "로사르탄"),
        other_drug: "이부프로펜",
        lab: ("potassium", "5.6 mmol/L", "칼륨", "4.2 mmol/L"),
        pressure: (146, 84),
        unsafe_food: "아침마다 바나나를 드세요.",
    },
    Patient {
        case: "DEMO_GOUT",
        korean: true,
        age: 49,
        sex: "남성",
        condition: ("Gout", "통풍"),
        drug: ("Allopurinol 100 MG", "알로푸리놀"),
        other_drug: "콜히친",
        lab: ("uric_acid", "8.9 mg/dL", "요산", "6.1 mg/dL"),
        pressure: (128, 80),
        unsafe_food: "저녁에 맥주를 드시면 좋습니다.",
    },
    Patient {
        case: "DEMO_ANE",
        korean: true,
        age: 34,
        sex: "여성",
        condition: ("Iron deficiency anemia", "철결핍성 빈혈"),
        drug: ("Ferrous sulfate", "철분제"),
        other_drug: "와파린",
        lab: ("hemoglobin", "9.8 g/dL", "혈색소", "12.5 g/dL"),
        pressure: (112, 70),
        unsafe_food: "붉은 살코기를 충분히 드세요.",
    },
    Patient {
        case: "DEMO_HF",
        korean: false,
        age: 72,
        sex: "M",
        condition: ("Congestive heart failure", "heart failure"),
        drug: ("Furosemide 40 MG", "furosemide"),
        other_drug: "digoxin",
        lab: ("ldl", "130 mg/dL", "LDL", "95 mg/dL"),
        pressure: (150, 95),
        unsafe_food: "Enjoy salty snacks every day.",
    },
    Patient {
        case: "DEMO_BP",
        korean: false,
        age: 45,
        sex: "F",
        condition: ("Essential hypertension (disorder)", "hypertension"),
        drug: ("Amlodipine 5 MG", "amlodipine"),
        other_drug: "metoprolol",
        lab: ("total_cholesterol", "232 mg/dL", "total cholesterol", "180 mg/dL"),
        pressure: (184, 112),
        unsafe_food: "Adding extra salt to your meals is fine.",
    },
    Patient {
        case: "DEMO_INS",
        korean: false,
        age: 61,
        sex: "F",
        condition: ("Type 2 Diabetes Mellitus", "type 2 diabetes"),
        drug: ("Insulin glargine", "insulin glargine"),
        other_drug: "metformin",
        lab: ("glucose", "262 mg/dL", "glucose", "160 mg/dL"),
        pressure: (138, 82),
        unsafe_food: "Try intermittent fasting to lose weight.",
    },
    Patient {
        case: "DEMO_LIV",
        korean: false,
        age: 55,
        sex: "M",
        condition: ("Cirrhosis of liver", "cirrhosis"),
        drug: ("Spironolactone 25 MG", "spironolactone"),
        other_drug: "lactulose",
        lab: ("albumin", "2.9 g/dL", "albumin", "4.1 g/dL"),
        pressure: (118, 72),
        unsafe_food: "A glass of wine is fine with dinner.",
    },
];

const QUESTIONS: [[&str; 2]; 5] = [
    ["제 상태를 정리해 주세요.", "Please sum up my situation."],
    ["검사 결과와 약을 설명해 주세요.", "Please explain my results and my medicine."],
    ["운동을 시작해도 될까요?", "May I start to exercise?"],
    ["무엇을 먹어야 하나요?", "What should I eat?"],
    ["앞으로의 계획을 세워 주세요.", "Please make a plan for me."],
];

/// Writes one file for each experiment, an answered turn per line.
pub(super) fn write(folder: &Path) -> Result<()> {
    for (name, answer) in [("plain", plain as Answer), ("agent", agent)] {
        let mut lines = String::new();
        for (number, patient) in PATIENTS.iter().enumerate() {
            for turn in 1..=5 {
                let record = json!({
                    "experiment": name,
                    "case": patient.case,
                    "turn": turn,
                    "question": QUESTIONS[turn - 1][usize::from(!patient.korean)],
                    "answer": answer(patient, number, turn),
                    "slots_truth": slots(patient),
                });
                lines.push_str(&record.to_string());
                lines.push('\n');
            }
        }
        let place = folder.join(format!("{name}.jsonl"));
        fs::write(&place, lines).map_err(Error::write(place.display().to_string()))?;
    }
    Ok(())
}

/// Makes the answer of a turn to a patient, who has a number.
type Answer = fn(&Patient, usize, usize) -> String;

fn slots(patient: &Patient) -> Value {
    json!({
        "age": patient.age,
        "sex": patient.sex,
        "primary_condition": patient.condition.0,
        "comorbidities": [],
        "key_meds": [patient.drug.0],
        "key_labs": {patient.lab.0: patient.lab.1},
        "key_vitals": {"bp_systolic": patient.pressure.0, "bp_diastolic": patient.pressure.1},
        "major_procedures": [],
    })
}

/// Answers that use little of the record and are wrong or unsafe for some patients.
fn plain(patient: &Patient, number: usize, turn: usize) -> String {
    let Patient { korean, condition, other_drug, lab, unsafe_food, .. } = patient;
    let slips = number % 2 == 1;
    match (turn, korean) {
        (1, true) => format!("{}이 있으시므로 꾸준한 관리가 필요합니다.", condition.1),
        (1, false) => format!("Since you have {}, regular care is important.", condition.1),
        (2, true) if slips => format!("현재 {other_drug}을 복용 중이시고 {} 수치는 {}입니다.", lab.2, lab.3),
        (2, false) if slips => format!("You are taking {other_drug}, and your {} is {}.", lab.2, lab.3),
        (2, true) => format!("{} 수치가 높은 편이니 의료진과 상의하세요.", lab.2),
        (2, false) => format!("Your {} needs attention; please see your doctor.", lab.2),
        (3, true) if slips => "고강도 인터벌 운동을 주 5회 하세요.".to_string(),
        (3, false) if slips => "Do high-intensity interval training five times a week.".to_string(),
        (3, true) => "걷기 운동을 매일 하세요.".to_string(),
        (3, false) => "Walk every day.".to_string(),
        (4, true) => format!("골고루 드세요. {unsafe_food}"),
        (4, false) => format!("Eat a balanced diet. {unsafe_food}"),
        (_, true) => "생활 습관을 개선하고 건강을 관리하세요.".to_string(),
        (_, false) => "Improve your habits and take care of yourself.".to_string(),
    }
}

/// Answers that use the record and say what, how often and when to stop; one is blank.
fn agent(patient: &Patient, number: usize, turn: usize) -> String {
    let Patient { korean, age, condition, drug, lab, pressure: (high, low), .. } = patient;
    let male = matches!(patient.sex, "M" | "남성");
    match (turn, korean) {
        (4, _) if number == 3 => String::new(),
        (1, true) => {
            let sex = if male { "남성" } else { "여성" };
            format!("{age}세 {sex}이시고 {}을 앓고 계십니다. 함께 관리해 보겠습니다.", condition.1)
        }
        (1, false) => {
            let sex = if male { "man" } else { "woman" };
            format!("You are a {age}-year-old {sex} with {}. Let us look at it together.", condition.1)
        }
        (2, true) => {
            format!("현재 {}을 복용 중이시고 {}은 {}, 혈압은 {high}/{low} mmHg로 측정되었습니다.", drug.1, lab.2, lab.1)
        }
        (2, false) => format!(
            "You are taking {}. Your {} was {} and your blood pressure was {high}/{low} mmHg.",
            drug.1, lab.2, lab.1
        ),
        (3, true) => format!(
            "{}을 고려하여 중강도로 하루 30분, 주 3회 걷기를 권합니다. 고강도 운동은 피하세요. 어지러우면 즉시 중단하세요. \
             {}은 계속 복용하세요. {} {}, 혈압 {high}/{low} mmHg도 확인하세요.",
            condition.1, drug.1, lab.2, lab.1
        ),
        (3, false) => format!(
            "With your {}, walk 30 minutes at moderate intensity, three times a week. Avoid high-intensity training. Stop if \
             you feel dizzy. Keep taking your {}. Your {} is {} and your blood pressure {high}/{low} mmHg.",
            condition.1, drug.1, lab.2, lab.1
        ),
        (4, true) => format!(
            "{}과 {} {}을 생각하면 다음을 권합니다.\n1. 채소를 골고루 드세요\n2. 싱겁게 드세요\n3. 물을 나누어 드세요\n\
             체중을 기록하시고 다음 진료 때 재검하세요. {}은 그대로 복용하세요.",
            condition.1, lab.2, lab.1, drug.1
        ),
        (4, false) => format!(
            "For your {} and a {} of {}:\n1. Eat vegetables with each meal\n2. Choose whole grains\n3. Cook with little salt\n\
             Track your weight and follow up at your next visit. Keep taking your {}.",
            condition.1, lab.2, lab.1, drug.1
        ),
        (_, true) => format!(
            "우선순위는 {} 관리입니다. 1주차에는 걷기, 2주차에는 식단을 시작합니다. {} {}와 혈압 {high}/{low} mmHg를 기록하고 \
             3개월 후 재검하세요. {}은 계속 복용하세요.",
            condition.1, lab.2, lab.1, drug.1
        ),
        (_, false) => format!(
            "Your top priority is {}. Week 1: walk. Week 2: change your meals. Track your {} (now {}) and your blood pressure \
             (now {high}/{low} mmHg), and retest in 3 months. Keep taking your {}.",
            condition.1, lab.2, lab.1, drug.1
        ),
    }
}
