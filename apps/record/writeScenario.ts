import { extname } from "node:path"
import { Document, isMap, isSeq } from "yaml"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { replaceFile } from "../replaceFile.ts"

/** Formats the scenario as YAML, with one line for each payment. */
const yamlOf = (scenario: Scenario): string => {
  const document = new Document(scenario)
  const plays = document.get("plays")
  for (const play of isSeq(plays) ? plays.items : []) if (isMap(play)) play.flow = true
  return document.toString({ lineWidth: 0 })
}

/** Writes the scenario atomically, in the format of the file's name. */
export const writeScenario = (file: string, scenario: Scenario): void => {
  const text =
    extname(file) === ".json" ? `${JSON.stringify(scenario, null, 2)}\n` : yamlOf(scenario)
  replaceFile(file, text)
}
