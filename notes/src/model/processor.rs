//! Which way notes are processed.

use crate::display_text::one_line;
use crate::refusal::{Code, Refusal};
use crate::setting::parse_number;

use super::address::{Address, Reach};
use super::key::Key;
use super::language_model::Model;
use super::timeouts::Timeouts;

/// The model of Anthropic that Chronicle asks where `CHRONICLE_MODEL` names no other.
pub const DEFAULT_MODEL: &str = "claude-sonnet-4-20250514";

/// How long an answer may be where `CHRONICLE_MAX_TOKENS` says nothing else, in tokens.
pub const DEFAULT_MAX_TOKENS: u32 = 4096;

/// Where the API of Anthropic is, unless `ANTHROPIC_BASE_URL` names another place.
const ANTHROPIC: &str = "https://api.anthropic.com";

/// As long as a name of a model is told.
const MAX_NAME_LENGTH: usize = 100;

/// The name that asks for no model.
const NO_MODEL: &str = "none";

/// What the user says about models. What is blank counts as not said.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `[notes] model`: `none`, or the name of a model.
    pub model: Option<String>,
    /// `[notes] model_url`: where a model is that speaks as `OpenAI` does.
    pub model_url: Option<String>,
    /// `[notes] model_remote`: how far away it may be.
    pub reach: Reach,
    /// `ANTHROPIC_API_KEY`.
    pub key: Option<Key>,
    /// `ANTHROPIC_BASE_URL`: where the API is that takes the key, such as the gateway of a company.
    pub key_address: Option<String>,
    /// `CHRONICLE_MODEL`: the model of Anthropic.
    pub chronicle_model: Option<String>,
    /// `CHRONICLE_MAX_TOKENS`, as it stands there.
    pub max_tokens: Option<String>,
}

/// Which way notes are processed.
#[derive(Debug, Clone)]
pub enum Processor {
    /// From their markers alone.
    Markers,
    /// By a model behind an address of the user's own.
    OpenAiCompatible {
        /// Where it is.
        address: Address,
        /// What it is called there; the one that is loaded where there is no name.
        model: Option<String>,
        /// How long an answer may be, in tokens.
        max_tokens: u32,
    },
    /// By a model of Anthropic.
    Anthropic {
        /// Where its API is.
        address: Address,
        /// The user's key.
        key: Key,
        /// What it is called.
        model: String,
        /// How long an answer may be, in tokens.
        max_tokens: u32,
    },
    /// By the model of whoever asks, which gets a prompt and a handle to write the answer with.
    Handle {
        /// The name of a model that was given without an address and a key, so that nobody can be asked for it.
        unused: Option<String>,
    },
}

impl Processor {
    /// The way that the user's words lead to: no model where that is said, else the address, else the key, else the
    /// client.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` for an address that cannot be used: notes do not go to somebody else instead.
    pub fn from_settings(settings: Settings) -> Result<Self, Refusal> {
        let max_tokens = parse_number(settings.max_tokens.as_deref(), DEFAULT_MAX_TOKENS);
        let model = non_blank(settings.model);
        if model.as_deref().is_some_and(|model| model.eq_ignore_ascii_case(NO_MODEL)) {
            return Ok(Self::Markers);
        }
        if let Some(url) = non_blank(settings.model_url) {
            let invalid = |error| Refusal::new(Code::InvalidArgument, format!("`[notes] model_url`: {error}"));
            let address = Address::read(&url, settings.reach).map_err(invalid)?;
            return Ok(Self::OpenAiCompatible { address, model, max_tokens });
        }
        let Some(key) = settings.key else { return Ok(Self::Handle { unused: model }) };
        let invalid = |error| Refusal::new(Code::InvalidArgument, format!("ANTHROPIC_BASE_URL: {error}"));
        let address = non_blank(settings.key_address).unwrap_or_else(|| ANTHROPIC.to_owned());
        let address = Address::read_for_key(&address).map_err(invalid)?;
        let model = non_blank(settings.chronicle_model).or(model).unwrap_or_else(|| DEFAULT_MODEL.to_owned());
        Ok(Self::Anthropic { address, key, model, max_tokens })
    }

    /// In a sentence, what is sent where when a note is processed: what a server says when it starts.
    pub fn description(&self) -> String {
        match self {
            Self::Markers => {
                "notes are processed only from their markers, without a language model: nothing is sent anywhere"
                    .to_owned()
            }
            Self::OpenAiCompatible { address, model, .. } => {
                let model =
                    model.as_ref().map_or_else(|| "the model".to_owned(), |model| format!("the model `{model}`"));
                let place = match (address.is_local(), address.is_encrypted()) {
                    (true, _) => "on this machine",
                    (false, true) => "which is not on this machine, as `[notes] model_url` says",
                    (false, false) => "which is not on this machine, unencrypted, as `[notes] model_url` says",
                };
                format!("a note that is processed is sent to {model} at {address}, {place}")
            }
            Self::Anthropic { address, model, .. } => format!(
                "a note that is processed is sent to the model `{model}` at {address}, with the key of ANTHROPIC_API_KEY; \
                 `[notes] model = \"none\"` keeps notes on this machine"
            ),
            Self::Handle { unused } => {
                let why = unused.as_ref().map_or_else(
                    || "no model is configured".to_owned(),
                    |model| {
                        format!(
                            "`[notes] model = \"{}\"` is not used, because neither `[notes] model_url` nor ANTHROPIC_API_KEY \
                             is set",
                            one_line(model, MAX_NAME_LENGTH)
                        )
                    },
                );
                format!("notes are processed by the client's own model, which receives their text: {why}")
            }
        }
    }

    /// The model to ask; none where there is none here.
    ///
    /// # Errors
    ///
    /// Those of [`Model::anthropic`] and [`Model::openai_compatible`].
    pub fn model(&self, timeouts: Timeouts) -> Result<Option<Model>, Refusal> {
        match self {
            Self::Markers | Self::Handle { .. } => Ok(None),
            Self::OpenAiCompatible { address, model, max_tokens } => {
                Model::openai_compatible(address.clone(), model.clone(), *max_tokens, timeouts).map(Some)
            }
            Self::Anthropic { address, key, model, max_tokens } => {
                Model::anthropic(address.clone(), key, model.clone(), *max_tokens, timeouts).map(Some)
            }
        }
    }
}

/// What was said, if anything.
fn non_blank(text: Option<String>) -> Option<String> {
    let text = text?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everything() -> Settings {
        Settings {
            model: Some("none".to_owned()),
            model_url: Some("http://localhost:11434/v1".to_owned()),
            reach: Reach::ThisMachine,
            key: Key::read("sk-ant-secret").unwrap(),
            key_address: None,
            chronicle_model: Some("claude-opus".to_owned()),
            max_tokens: Some("8192".to_owned()),
        }
    }

    #[test]
    fn none_comes_before_the_address_the_key_and_the_client() {
        let settings = everything();
        assert!(matches!(Processor::from_settings(settings.clone()).unwrap(), Processor::Markers));
        let settings = Settings { model: Some("llama".to_owned()), ..settings };
        let way = Processor::from_settings(settings.clone()).unwrap();
        let Processor::OpenAiCompatible { model, max_tokens, .. } = way else { panic!("{way:?}") };
        assert_eq!((model.as_deref(), max_tokens), (Some("llama"), 8192));
        let settings = Settings { model_url: Some(" ".to_owned()), ..settings };
        let way = Processor::from_settings(settings.clone()).unwrap();
        let Processor::Anthropic { model, .. } = way else { panic!("{way:?}") };
        assert_eq!(model, "claude-opus");
        let settings = Settings { chronicle_model: None, model: None, max_tokens: Some("much".to_owned()), ..settings };
        let way = Processor::from_settings(settings.clone()).unwrap();
        let Processor::Anthropic { model, max_tokens, .. } = way else { panic!("{way:?}") };
        assert_eq!((model.as_str(), max_tokens), (DEFAULT_MODEL, DEFAULT_MAX_TOKENS));
        assert!(matches!(
            Processor::from_settings(Settings { key: None, ..settings }).unwrap(),
            Processor::Handle { unused: None }
        ));
    }

    /// A note that was to stay on this machine goes to nobody when the address is wrong.
    #[test]
    fn a_wrong_address_does_not_fall_back_to_the_key() {
        for url in ["http://192.168.1.20:11434/v1", "localhost:11434"] {
            let settings = Settings { model: None, model_url: Some(url.to_owned()), ..everything() };
            let refusal = Processor::from_settings(settings).unwrap_err();
            assert_eq!(refusal.code(), Code::InvalidArgument, "{url}");
            assert!(refusal.to_string().contains("model_url"), "{refusal}");
        }
    }

    #[test]
    fn a_key_goes_to_the_gateway_that_is_named_and_over_no_open_wire() {
        let named =
            |url: &str| Settings { model: None, model_url: None, key_address: Some(url.to_owned()), ..everything() };
        let told = Processor::from_settings(named("https://gateway.example/claude")).unwrap().description();
        assert!(told.contains("gateway.example") && !told.contains("anthropic.com"), "{told}");
        for url in ["http://gateway.example", "gateway.example"] {
            let refusal = Processor::from_settings(named(url)).unwrap_err();
            assert!(refusal.to_string().contains("ANTHROPIC_BASE_URL"), "{refusal}");
        }
        assert!(Processor::from_settings(named(" ")).unwrap().description().contains("api.anthropic.com"));
    }

    #[test]
    fn description_names_the_destination_and_never_the_key() {
        let way = |change: fn(&mut Settings)| {
            let mut settings = everything();
            change(&mut settings);
            let way = Processor::from_settings(settings).unwrap();
            assert!(!format!("{way:?}").contains("secret"));
            way.description()
        };
        assert!(way(|_| {}).contains("nothing is sent anywhere"));
        let local = way(|settings| settings.model = Some("llama".to_owned()));
        assert!(local.contains("`llama` at http://localhost:11434, on this machine"), "{local}");
        let remote = way(|settings| {
            settings.model = None;
            settings.model_url = Some("http://192.168.1.20:11434".to_owned());
            settings.reach = Reach::Anywhere;
        });
        assert!(remote.contains("192.168.1.20:11434, which is not on this machine, unencrypted"), "{remote}");
        let api = way(|settings| (settings.model, settings.model_url) = (None, None));
        assert!(api.contains("https://api.anthropic.com, with the key of ANTHROPIC_API_KEY"), "{api}");
        let client = way(|settings| {
            (settings.model, settings.model_url, settings.key) = (None, None, None);
        });
        assert!(client.contains("the client's own model") && client.ends_with("no model is configured"), "{client}");
        let unused = way(|settings| {
            settings.model = Some("llama".to_owned());
            (settings.model_url, settings.key) = (None, None);
        });
        assert!(unused.contains("the client's own model"), "{unused}");
        assert!(unused.contains("`[notes] model = \"llama\"` is not used, because neither"), "{unused}");
    }
}
