import { rename, writeFile } from "node:fs/promises"
import { extname } from "node:path"
import { Document, isMap, isSeq } from "yaml"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"

/** Formats the scenario as YAML, with one line for each payment. */
const yamlOf = (scenario: Scenario): string => {
  const document = new Document(scenario)
  const plays = document.get("plays")
  for (const play of isSeq(plays) ? plays.items : []) if (isMap(play)) play.flow = true
  return document.toString({ lineWidth: 0 })
}

/** Writes the scenario atomically, in the format of the file's name. */
export const writeScenario = async (file: string, scenario: Scenario): Promise<void> => {
  const text =
    extname(file) === ".json" ? `${JSON.stringify(scenario, null, 2)}\n` : yamlOf(scenario)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, file)
}
