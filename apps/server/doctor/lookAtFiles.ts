import { Effect, Result } from "effect"
import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { dirname } from "node:path"
import { fewReviewers, readOperators } from "../operatorsFile.ts"
import type { Settings } from "../settings.ts"
import { failed, type Finding, warning } from "./Finding.ts"

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

/** Returns the code of the error with which this process may not use a path; "" where it may. */
const refusalOf = (path: string, mode: number) =>
  Effect.promise(() =>
    access(path, mode).then(
      () => "",
      (error: unknown) => codeOf(error),
    ),
  )

const lookAtOperators = Effect.fnUntraced(function* (path: string) {
  const found = yield* Effect.result(readOperators(path))
  if (Result.isFailure(found)) return [failed("settings", found.failure.message)]
  const few = fewReviewers(path, found.success)
  return few === undefined ? [] : [warning("settings", few, "Name another with the role review.")]
})

/** A file that is not there yet is made, so that its folder decides. */
const lookAtHeads = Effect.fnUntraced(function* (path: string) {
  const code = yield* refusalOf(path, constants.W_OK)
  const isNew = code === "ENOENT"
  const lasting = isNew ? yield* refusalOf(dirname(path), constants.W_OK | constants.X_OK) : code
  if (lasting === "") return []
  const message = `PAYPORT_AUDIT_HEADS: ${path} cannot be written (${lasting}).`
  return [warning("settings", message, "Make it writable: the missing heads are then added.")]
})

const lookAtArchive = Effect.fnUntraced(function* (path: string) {
  const code = yield* refusalOf(path, constants.R_OK | constants.X_OK)
  if (code === "") return []
  const message = `PAYPORT_ARCHIVE_DIR: ${path} cannot be read (${code}): no old data is removed.`
  const todo = "Check that its volume is mounted. If it is new, run `payport archive`."
  return [warning("settings", message, todo)]
})

/** Checks the files and folders of the settings as a start, or a worker, will find them. */
export const lookAtFiles = Effect.fnUntraced(function* ({
  archive_dir,
  audit_heads,
  operators,
  roles,
}: Pick<Settings, "archive_dir" | "audit_heads" | "operators" | "roles">) {
  const works = roles.has("worker")
  const looks: ReadonlyArray<Effect.Effect<ReadonlyArray<Finding>>> = [
    ...(operators === undefined ? [] : [lookAtOperators(operators)]),
    ...(audit_heads === undefined || !works ? [] : [lookAtHeads(audit_heads)]),
    ...(archive_dir === undefined || !works ? [] : [lookAtArchive(archive_dir)]),
  ]
  return (yield* Effect.all(looks)).flat()
})
