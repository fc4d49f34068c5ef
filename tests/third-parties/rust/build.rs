//! Generates the client from dist/openapi-3.0.json, which `npm run openapi:3.0` writes.
use serde_json::{json, Value};
use std::{env, fs, path::Path};

const DOCUMENT: &str = "dist/openapi-3.0.json";

fn main() {
    println!("cargo:rerun-if-changed={DOCUMENT}");
    let mut document = serde_json::from_str(&fs::read_to_string(DOCUMENT).unwrap()).unwrap();
    simplify(&mut document);
    let spec = serde_json::from_value(document).unwrap();
    let mut settings = progenitor::GenerationSettings::default();
    // Named instead of positional parameters: a new optional one does not break callers.
    settings.with_interface(progenitor::InterfaceStyle::Builder);
    let tokens = progenitor::Generator::new(&settings).generate_tokens(&spec).unwrap();
    let code = prettyplease::unparse(&syn::parse2(tokens).unwrap());
    let folder = env::var("OUT_DIR").unwrap();
    fs::write(Path::new(&folder).join("client.rs"), code).unwrap();
}

/// Progenitor knows one media type of a body and one type of error, and `default` is a success to it.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Object(responses)) = members.get_mut("responses") {
                responses.remove("default");
            }
            if let Some(Value::Object(content)) = members.get_mut("content") {
                if content.remove("application/problem+json").is_some() {
                    let schema = json!({ "schema": { "$ref": "#/components/schemas/Problem" } });
                    content.insert("application/json".into(), schema);
                }
                if content.contains_key("application/json") {
                    content.retain(|media_type, _| media_type == "application/json");
                } else if let Some(first) = content.keys().next().cloned() {
                    content.retain(|media_type, _| *media_type == first);
                }
            }
            members.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}
