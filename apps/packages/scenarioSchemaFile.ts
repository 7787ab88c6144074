import { scenarioSchema } from "../../simulator/scenarios/scenarioSchema.ts"

/** The JSON Schema of scenarios as the package has it, by its path in the repository. */
export const scenarioSchemaFile = (): { readonly [path: string]: string } => ({
  "apps/payport/scenario.schema.json": `${JSON.stringify(scenarioSchema(), null, 2)}\n`,
})
