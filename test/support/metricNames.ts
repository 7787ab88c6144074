import { METRICS } from "../../adapters/shared/metrics/Metrics.ts"
import { sourceFiles, sourceText } from "./sourceFiles.ts"

const DECLARED = /Metric\.(?:counter|gauge|histogram)\(\s*"(payport_[a-z_]+)"/g

/** Returns the names of all metrics: those of the table, and those in the core's verbs. */
export const metricNames = async (): Promise<ReadonlyArray<string>> => {
  const core = (await sourceFiles()).filter((path) => /^core\/.*\.ts$/.test(path))
  const texts = await Promise.all(core.map(sourceText))
  const declared = texts.flatMap((text) => Array.from(text.matchAll(DECLARED), ([, name]) => name))
  return [...Object.values(METRICS).map(({ id }) => id), ...declared.flatMap((name) => name ?? [])]
}
