//! Tests of the arguments in the operations, because `graphql_client` doesn't check arguments against the schema.

use std::collections::BTreeMap;

use graphql_parser::query::{self, OperationDefinition, Selection, Value, parse_query};
use graphql_parser::schema::{self, TypeDefinition, parse_schema};

/// The types of arguments or variables, by name.
type Types<'a> = BTreeMap<&'a str, String>;

#[test]
fn every_operation_passes_the_arguments_of_the_schema() {
    let schema = parse_schema::<&str>(include_str!("../../graphql/timesheet.graphql")).unwrap();
    let fields = schema.definitions.iter().filter_map(|definition| match definition {
        schema::Definition::TypeDefinition(TypeDefinition::Object(object)) => {
            ["Query", "Mutation"].contains(&object.name).then_some(&object.fields)
        }
        _ => None,
    });
    let declared: BTreeMap<&str, Types<'_>> = fields
        .flatten()
        .map(|field| {
            let arguments = field.arguments.iter().map(|argument| (argument.name, argument.value_type.to_string()));
            (field.name, arguments.collect())
        })
        .collect();
    let operations = parse_query::<&str>(include_str!("../../graphql/operations.graphql")).unwrap();
    for definition in &operations.definitions {
        let (variables, fields) = match definition {
            query::Definition::Operation(OperationDefinition::Query(query)) => {
                (&query.variable_definitions, &query.selection_set.items)
            }
            query::Definition::Operation(OperationDefinition::Mutation(mutation)) => {
                (&mutation.variable_definitions, &mutation.selection_set.items)
            }
            _ => continue,
        };
        let [Selection::Field(field)] = &fields[..] else { panic!("an operation asks for one field") };
        let variables: Types<'_> =
            variables.iter().map(|variable| (variable.name, variable.var_type.to_string())).collect();
        let passed = field.arguments.iter().map(|(name, value)| match value {
            Value::Variable(variable) => (*name, variables[variable].clone()),
            _ => panic!("`{name}` of `{}` is not a variable", field.name),
        });
        assert_eq!(passed.collect::<Types<'_>>(), declared[field.name], "{}", field.name);
    }
}
