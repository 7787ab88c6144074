import { Effect, Redacted } from "effect"
import { StartFailure } from "./StartFailure.ts"
import { read, secret, variable, type Variable } from "./variables.ts"

/** Where a master key comes from: a variable, a file, or a command. */
export type MasterKeyPlace =
  | { readonly from: "value"; readonly key: Redacted.Redacted }
  | { readonly from: "file"; readonly path: string }
  | { readonly from: "command"; readonly words: ReadonlyArray<string> }

/** Decodes 32 bytes in base64, in either alphabet; undefined for anything else. */
export const masterKeyBytes = (text: string): Uint8Array | undefined => {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, "base64")
  return bytes.length === 32 ? new Uint8Array(bytes) : undefined
}

const wordsOf = (text: string): ReadonlyArray<string> | undefined =>
  text.includes("\0") ? undefined : text.split(/\s+/)

/** The three variables for a master key with that name. */
const placesOf = (name: string, unset: string) => ({
  value: secret(
    name,
    "32 bytes in base64, as openssl rand -base64 32 makes them",
    unset,
    (text) => masterKeyBytes(text) !== undefined,
  ),
  file: variable(
    `${name}_FILE`,
    "the path of a file with 32 bytes in base64 that only its owner reads",
    "unset",
    (text) => (text.includes("\0") ? undefined : text),
  ),
  command: variable(
    `${name}_COMMAND`,
    "a program with its arguments that wraps and unwraps keys",
    "unset",
    wordsOf,
  ),
})

const master = placesOf("PAYPORT_MASTER_KEY", "generated, kept in the data folder")
const next = placesOf("PAYPORT_NEXT_MASTER_KEY", "unset: for rotate-master-key alone")

/** The variables of the master key, for the help. */
export const masterKeyVariables = {
  master_key: master.value,
  master_key_file: master.file,
  master_key_command: master.command,
  next_master_key: next.value,
  next_master_key_file: next.file,
  next_master_key_command: next.command,
}

const twoPlaces = (places: ReadonlyArray<Variable<unknown>>) =>
  new StartFailure({
    message: `Only one of ${places.map(({ name }) => name).join(" and ")} can be set.`,
  })

/** Reads the one place that is set; undefined if none is. */
const readPlace = Effect.fnUntraced(function* (places: ReturnType<typeof placesOf>) {
  const key = yield* read(places.value)
  const path = yield* read(places.file)
  const words = yield* read(places.command)
  const set = [
    ...(key === undefined ? [] : [places.value]),
    ...(path === undefined ? [] : [places.file]),
    ...(words === undefined ? [] : [places.command]),
  ]
  if (set.length > 1) return yield* twoPlaces(set)
  if (key !== undefined) return { from: "value", key } satisfies MasterKeyPlace
  if (path !== undefined) return { from: "file", path } satisfies MasterKeyPlace
  return words === undefined ? undefined : ({ from: "command", words } satisfies MasterKeyPlace)
})

/** Reads where the installation's master key is; undefined if it is to be generated. */
export const readMasterKey: Effect.Effect<MasterKeyPlace | undefined, StartFailure> =
  readPlace(master)

/** Reads where the next master key is, which will replace it. */
export const readNextMasterKey: Effect.Effect<MasterKeyPlace | undefined, StartFailure> =
  readPlace(next)

/** Whether the bytes cannot be random, since few of them differ. */
const isRepetitive = (bytes: Uint8Array): boolean => new Set(bytes).size < 12

/** Whether a master key repeats itself, as one that was written by hand does. */
export const isWeakMasterKey = (key: Redacted.Redacted): boolean =>
  isRepetitive(masterKeyBytes(Redacted.value(key)) ?? new Uint8Array())
