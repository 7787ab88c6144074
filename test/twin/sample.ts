import { execFile } from "node:child_process"
import { join } from "node:path"
import { MODELS } from "./check.ts"

const SAMPLES = 200
const STEPS = 40

/** Runs `quint run` on a model, and returns whether it found nothing, with its output. */
const quintRun = (quint: string, model: string, seed: number) =>
  new Promise<{ readonly sound: boolean; readonly said: string }>((done) => {
    const cli = join(quint, "node_modules/@informalsystems/quint/dist/src/cli.js")
    // Quint's other evaluator would be fetched from elsewhere.
    const flags = ["--backend", "typescript", "--invariant", "sound", "--verbosity", "2"]
    const bounds = ["--max-samples", `${SAMPLES}`, "--max-steps", `${STEPS}`, "--seed", `${seed}`]
    const args = [cli, "run", join(MODELS, `${model}.qnt`), ...flags, ...bounds]
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      done({ sound: error === null, said: `${stdout}${stderr}`.trim() })
    })
  })

/**
 * Ways through the models that Quint draws by chance, from all starts, with two faults each: more
 * than is explored, and no proof of anything.
 */
export const sampled = async (
  quint: string,
  fail: (text: string) => void,
): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for (const [n, model] of ["Lifecycles", "Races", "Store"].entries()) {
    const { said, sound } = await quintRun(quint, model, n + 1)
    if (sound) lines.push(`${model}: ${SAMPLES} ways of up to ${STEPS} steps, by chance`)
    else fail(`${model}: ${said}`)
  }
  return lines
}
