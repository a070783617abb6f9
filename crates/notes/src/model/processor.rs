//! Selection of the method that makes a record of a note.

use crate::display_text::one_line;
use crate::refusal::{Code, Refusal};
use crate::setting::parse_number;

use super::address::{Address, Key, Reach};
use super::http::Timeouts;
use super::language_model::Model;

/// The default model of Anthropic, as in Chronicle. `CHRONICLE_MODEL` overrides it.
pub const DEFAULT_MODEL: &str = "claude-sonnet-4-20250514";

/// The default maximum length of a response, in tokens. `CHRONICLE_MAX_TOKENS` overrides it.
pub const DEFAULT_MAX_TOKENS: u32 = 4096;

/// The default URL of Anthropic's API. `ANTHROPIC_BASE_URL` overrides it.
const ANTHROPIC: &str = "https://api.anthropic.com";

/// The maximum length of a model name in a message, in characters.
const MAX_NAME_LENGTH: usize = 100;

/// The value of `[notes] model` that disables models.
const NO_MODEL: &str = "none";

/// The user's settings for models. Blank values count as unset.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `[notes] model`: `none`, or the name of a model.
    pub model: Option<String>,
    /// `[notes] model_url`: the URL of a model with the API of `OpenAI`.
    pub model_url: Option<String>,
    /// `[notes] model_remote`: whether the model at `model_url` may be on another machine.
    pub reach: Reach,
    /// `ANTHROPIC_API_KEY`.
    pub key: Option<Key>,
    /// `ANTHROPIC_BASE_URL`: the URL to which the key is sent, for example a company's gateway.
    pub key_address: Option<String>,
    /// `CHRONICLE_MODEL`: the name of the model of Anthropic.
    pub chronicle_model: Option<String>,
    /// `CHRONICLE_MAX_TOKENS`, as text.
    pub max_tokens: Option<String>,
}

/// The method that makes a record of a note.
#[derive(Debug, Clone)]
pub enum Processor {
    /// The record is made from the markers, without a model.
    Markers,
    /// A model with the API of `OpenAI`, at a URL that the user configured.
    OpenAiCompatible {
        /// The URL of the model.
        address: Address,
        /// The name of the model. If unset, the server uses the model that it has loaded.
        model: Option<String>,
        /// The maximum length of a response, in tokens.
        max_tokens: u32,
    },
    /// A model of Anthropic, which gets the user's API key.
    Anthropic {
        /// The URL of the API.
        address: Address,
        /// The user's API key.
        key: Key,
        /// The name of the model.
        model: String,
        /// The maximum length of a response, in tokens.
        max_tokens: u32,
    },
    /// The client's own model. The client gets a prompt and a handle, and writes the response with the handle.
    Handle {
        /// The value of `[notes] model`, if set. It is unused, because neither a URL nor a key is configured.
        unused: Option<String>,
    },
}

impl Processor {
    /// Selects the first method whose condition is met: [`Self::Markers`] if the model is `none`,
    /// [`Self::OpenAiCompatible`] if a URL is configured, and [`Self::Anthropic`] if there is a key. If no condition is
    /// met, selects [`Self::Handle`].
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the URL is invalid. The next method isn't tried in this case, because the notes must not
    /// be sent to another model.
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

    /// Returns a sentence that describes the data sent when a note is processed, and the destination. The server logs
    /// this sentence at its start.
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

    /// Returns the model, or `None` if the method doesn't use a model or if it uses the client's model.
    ///
    /// # Errors
    ///
    /// The errors of [`Model::anthropic`] and [`Model::openai_compatible`].
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

/// Returns the trimmed text, or `None` if the text is missing or blank.
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
    fn none_takes_precedence_over_address_key_and_client() {
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

    /// If the URL of a local model is invalid, the note must not be sent to Anthropic instead.
    #[test]
    fn a_wrong_address_does_not_fall_back_to_the_key() {
        for url in ["http://192.168.1.20:11434/v1", "localhost:11434"] {
            let settings = Settings { model: None, model_url: Some(url.to_owned()), ..everything() };
            let refusal = Processor::from_settings(settings).unwrap_err();
            assert_eq!(refusal.code, Code::InvalidArgument, "{url}");
            assert!(refusal.to_string().contains("model_url"), "{refusal}");
        }
    }

    #[test]
    fn key_is_sent_only_to_the_configured_gateway_and_encrypted() {
        let named =
            |url: &str| Settings { model: None, model_url: None, key_address: Some(url.to_owned()), ..everything() };
        let description = Processor::from_settings(named("https://gateway.example/claude")).unwrap().description();
        assert!(description.contains("gateway.example") && !description.contains("anthropic.com"), "{description}");
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
