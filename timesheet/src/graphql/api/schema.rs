//! The schema of the API, served from `graphql/timesheet.graphql` itself, so that what is asked is checked against it.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::dynamic::{
    Enum, Field, FieldFuture, FieldValue, InputObject, InputValue, Object, ResolverContext, Scalar, Schema,
    SchemaError, TypeRef,
};
use async_graphql::parser::types::{
    BaseType, FieldDefinition, InputValueDefinition, Type, TypeKind, TypeSystemDefinition,
};
use async_graphql::{Error, ErrorExtensions, Value};
use serde_json::Map;

use super::rules::{Arguments, Fault, resolve};
use super::store::{Caller, Store};

const SCHEMA: &str = include_str!("../../../graphql/timesheet.graphql");

/// An object of the API.
struct Node(serde_json::Value);

/// The schema over a store.
pub(super) fn schema(store: &Arc<Mutex<Store>>) -> Result<Schema, SchemaError> {
    let document = async_graphql::parser::parse_schema(SCHEMA).map_err(|error| SchemaError(error.to_string()))?;
    let mut builder = Schema::build("Query", Some("Mutation"), None);
    for definition in document.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let name = definition.node.name.node.as_str();
        builder = match definition.node.kind {
            TypeKind::Scalar => builder.register(Scalar::new(name)),
            TypeKind::Enum(kind) => {
                let names = kind.values.iter().map(|value| value.node.value.node.as_str());
                builder.register(names.fold(Enum::new(name), Enum::item))
            }
            TypeKind::InputObject(kind) => {
                let fields = kind.fields.iter().map(|field| input(&field.node));
                builder.register(fields.fold(InputObject::new(name), InputObject::field))
            }
            TypeKind::Object(kind) => {
                let is_root = ["Query", "Mutation"].contains(&name);
                let field = |object: Object, definition: &FieldDefinition| {
                    object.field(if is_root { root(definition, store) } else { plain(definition) })
                };
                let fields = kind.fields.iter().map(|definition| &definition.node);
                builder.register(fields.fold(Object::new(name), field))
            }
            TypeKind::Interface(_) | TypeKind::Union(_) => builder,
        };
    }
    builder.finish()
}

fn input(definition: &InputValueDefinition) -> InputValue {
    let value = InputValue::new(definition.name.node.as_str(), type_ref(&definition.ty.node));
    match &definition.default_value {
        Some(default) => value.default_value(default.node.clone()),
        None => value,
    }
}

fn type_ref(kind: &Type) -> TypeRef {
    let inner = match &kind.base {
        BaseType::Named(name) => TypeRef::named(name.as_str()),
        BaseType::List(inner) => TypeRef::List(Box::new(type_ref(inner))),
    };
    if kind.nullable { inner } else { TypeRef::NonNull(Box::new(inner)) }
}

/// A field of an object: the member of that name.
fn plain(definition: &FieldDefinition) -> Field {
    let name = definition.name.node.to_string();
    Field::new(name.clone(), type_ref(&definition.ty.node), move |context| {
        let value = context.parent_value.downcast_ref::<Node>().map(|node| node.0[&name].clone()).unwrap_or_default();
        FieldFuture::new(async move { Ok(value_of(value)) })
    })
}

/// A field of a root: an operation.
fn root(definition: &FieldDefinition, store: &Arc<Mutex<Store>>) -> Field {
    let (name, store) = (definition.name.node.to_string(), Arc::clone(store));
    let field = Field::new(name.clone(), type_ref(&definition.ty.node), move |context: ResolverContext<'_>| {
        let given =
            context.args.iter().map(|(name, value)| Ok((name.to_string(), value.as_value().clone().into_json()?)));
        let arguments: Result<Map<_, _>, serde_json::Error> = given.collect();
        let caller = context.data_opt::<Caller>().cloned();
        let (name, store) = (name.clone(), Arc::clone(&store));
        FieldFuture::new(async move {
            let arguments = Arguments(arguments.map_err(|error| Error::new(error.to_string()))?);
            let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
            resolve(&mut store, caller.as_ref(), &name, &arguments).map(value_of).map_err(error)
        })
    });
    definition.arguments.iter().fold(field, |field, argument| field.argument(input(&argument.node)))
}

fn value_of(value: serde_json::Value) -> Option<FieldValue<'static>> {
    match value {
        serde_json::Value::Null => None,
        serde_json::Value::Array(items) => Some(FieldValue::list(items.into_iter().filter_map(value_of))),
        value @ serde_json::Value::Object(_) => Some(FieldValue::owned_any(Node(value))),
        value => Value::from_json(value).ok().map(FieldValue::value),
    }
}

fn error(fault: Fault) -> Error {
    Error::new(fault.message).extend_with(|_, extensions| {
        if let Some(code) = fault.code {
            extensions.set("code", code);
        }
        if let Some(field) = fault.field {
            extensions.set("field", field);
        }
    })
}
