import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { chmod, link, open, readFile, unlink } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "../../adapters/shared/makeFolder.ts"
import { commandKey } from "../../adapters/crypto/masterKeys/commandKey.ts"
import { fileKey } from "../../adapters/crypto/masterKeys/fileKey.ts"
import { localKey } from "../../adapters/crypto/masterKeys/localKey.ts"
import { type MasterKeyPlace, masterKeyBytes } from "./masterKeySettings.ts"
import { isDemoKey } from "./settingVariables.ts"
import type { Settings } from "./settings.ts"
import type { MasterKey } from "../../core/ports/MasterKey.ts"
import { isAdminKey } from "./variables.ts"
import { StartFailure } from "./StartFailure.ts"

/** The secrets of an installation, set or generated. */
export interface Secrets {
  readonly master_key: MasterKey["Service"]
  readonly admin_key: Redacted.Redacted
  /** The keys of the sandbox's demo accounts; live mode has none. */
  readonly demo: DemoKeys | undefined
}

/** The keys of the demo seller and of the demo buyer. */
export interface DemoKeys {
  readonly seller: Redacted.Redacted
  readonly buyer: Redacted.Redacted
}

interface Kept {
  readonly file: string
  readonly generate: () => string
  readonly isRight: (text: string) => boolean
}

const token = (): string => randomBytes(32).toString("base64url")

const kept = {
  master_key: {
    file: "master.key",
    generate: () => randomBytes(32).toString("base64"),
    isRight: (text: string) => masterKeyBytes(text) !== undefined,
  },
  admin_key: { file: "admin.key", generate: () => `admin_${token()}`, isRight: isAdminKey },
  demo_seller_key: {
    file: "demo-seller.key",
    generate: () => `sk_test_${token()}`,
    isRight: (text: string) => isDemoKey("seller", text),
  },
  demo_buyer_key: {
    file: "demo-buyer.key",
    generate: () => `ag_sk_test_${token()}`,
    isRight: (text: string) => isDemoKey("buyer", text),
  },
} satisfies { readonly [name: string]: Kept }

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

const readKept = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** Writes the file atomically and durably, unless it exists. Leaves nothing else behind. */
const writeOnce = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
  const file = await open(temporary, "wx", 0o600)
  try {
    try {
      await file.writeFile(`${text}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(temporary, path)
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  } finally {
    await unlink(temporary)
  }
}

const damaged = (path: string) =>
  new StartFailure({
    message:
      `The secret in ${path} is damaged. Restore it, or start with an empty ` +
      "PAYPORT_DATA_DIR and database.",
  })

const keep = async (folder: string, { file, generate, isRight }: Kept): Promise<string> => {
  const path = join(folder, file)
  const found = await readKept(path)
  if (found === undefined) {
    await writeOnce(path, generate())
    return keep(folder, { file, generate, isRight })
  }
  if (isRight(found)) {
    await chmod(path, 0o600)
    return found
  }
  throw damaged(path)
}

const bytesOf = (text: string): Uint8Array => masterKeyBytes(text) ?? new Uint8Array()

/** Reads the master key from its place. */
export const openMasterKey = Effect.fnUntraced(function* (place: MasterKeyPlace) {
  if (place.from === "value") return localKey(bytesOf(Redacted.value(place.key)))
  const opening = place.from === "file" ? fileKey(place.path) : commandKey(place.words)
  return yield* Effect.mapError(opening, ({ message }) => new StartFailure({ message }))
})

/**
 * Finds the master key that a start with the settings would use, and generates none. Undefined if
 * there is none yet.
 */
export const findMasterKey = Effect.fnUntraced(function* (
  settings: Pick<Settings, "data_dir" | "master_key">,
) {
  if (settings.master_key !== undefined) return yield* openMasterKey(settings.master_key)
  const path = join(settings.data_dir, kept.master_key.file)
  const text = yield* Effect.tryPromise({
    try: () => readKept(path),
    catch: (error) => new StartFailure({ message: `${path} cannot be read (${codeOf(error)}).` }),
  })
  if (text === undefined) return undefined
  return kept.master_key.isRight(text) ? localKey(bytesOf(text)) : yield* damaged(path)
})

/**
 * Returns the secrets that are set. The others are generated at the first start and kept in the
 * data folder, in files that only their owner can read.
 */
export const openSecrets = Effect.fnUntraced(function* (settings: Settings) {
  const folder = settings.data_dir
  const attempt = <A>(work: () => Promise<A>) =>
    Effect.tryPromise({
      try: work,
      catch: (error) =>
        error instanceof StartFailure
          ? error
          : new StartFailure({
              message:
                "PAYPORT_DATA_DIR has to be a folder that can be written to: " +
                `${JSON.stringify(folder)} cannot (${codeOf(error)}).`,
            }),
    })
  yield* attempt(() => makeFolder(folder, 0o711))
  const secret = Effect.fnUntraced(function* (name: Exclude<keyof typeof kept, "master_key">) {
    const given = settings[name]
    return given === undefined
      ? yield* attempt(() => keep(folder, kept[name]))
      : Redacted.value(given)
  })
  const master_key =
    settings.master_key === undefined
      ? localKey(bytesOf(yield* attempt(() => keep(folder, kept.master_key))))
      : yield* openMasterKey(settings.master_key)
  const admin_key = Redacted.make(yield* secret("admin_key"))
  const secrets = { master_key, admin_key }
  if (settings.mode === "live") return { ...secrets, demo: undefined } satisfies Secrets
  const demo: DemoKeys = {
    seller: Redacted.make(yield* secret("demo_seller_key")),
    buyer: Redacted.make(yield* secret("demo_buyer_key")),
  }
  return { ...secrets, demo } satisfies Secrets
})
