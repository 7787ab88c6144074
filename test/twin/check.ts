import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Exploration } from "./explorations.ts"
import { type Explored, explore } from "./explore.ts"
import type { Mutant } from "./mutants.ts"
import { loadModel, type Model } from "./Quint.ts"

/** The folder of the models. */
export const MODELS = join(import.meta.dirname, "model")

/** Loads models by the Quint in that folder, each once. */
export const modelsOf = (quint: string, folder = MODELS) => {
  const loaded = new Map<string, Promise<Model>>()
  return (name: string): Promise<Model> => {
    const model = loaded.get(name) ?? loadModel(quint, join(folder, `${name}.qnt`))
    loaded.set(name, model)
    return model
  }
}

type Models = ReturnType<typeof modelsOf>

/** Explores a model from its starts. */
export const check = async (
  models: Models,
  { judged, model, starts }: Exploration,
): Promise<Explored> => explore(await models(model), starts, judged)

/** The text of a model with a mutant's changes. Throws where one does not apply once. */
export const mutate = (text: string, { changes, name }: Mutant): string =>
  changes.reduce((changed, [from, to]) => {
    const parts = changed.split(from)
    if (parts.length !== 2)
      throw new Error(`"${name}" changes ${parts.length - 1} places, not one.`)
    return parts.join(to)
  }, text)

/** Explores a mutant of the models, in a copy of them. */
export const checkMutant = async (quint: string, mutant: Mutant): Promise<Explored> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-twin-"))
  try {
    await cp(MODELS, folder, { recursive: true })
    const file = join(folder, `${mutant.file}.qnt`)
    await writeFile(file, mutate(await readFile(file, "utf8"), mutant))
    return await check(modelsOf(quint, folder), mutant.exploration)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
