import { Schema } from "effect"
import { LIBRARY } from "./library.ts"
import { Scenario } from "./Scenario.ts"

const Value = Schema.Union([Schema.Finite, Schema.String, Schema.Boolean])

/** The fields of a file besides the scenario: what it extends, and its variables. */
export const FileHead = Schema.Struct({
  $schema: Schema.optionalKey(
    Schema.String.annotate({ description: "Where editors find this description of the file." }),
  ),
  extends: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "A scenario whose fields count where this one says nothing: a name, or a .json, .yaml or " +
        ".yml file, relative to this one. Objects are merged, lists replaced.",
      examples: LIBRARY.map(({ name }) => name),
    }),
  ),
  variables: Schema.optionalKey(
    Schema.Record(Schema.String, Value).annotate({
      description:
        "Values by name. A value of the scenario uses one as ${name}, and --set name=value gives " +
        "it another of the same type.",
      examples: [{ payments: 300, lost: 0.1 }],
    }),
  ),
})

/** A file with a scenario that extends no other. */
export const ScenarioFile = Schema.Struct({ ...FileHead.fields, ...Scenario.fields })
