import { Effect } from "effect"
import { type FileHandle, open } from "node:fs/promises"
import { DataFolderUnusable } from "./EmbeddedPostgresError.ts"

/** Returns the `code` of a system error, such as "ENOENT", or undefined for anything else. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined

const advice = (code: string | undefined): string => {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "Run payport as the user who owns the data folder, or choose another data folder."
    case "EROFS":
      return "The file system is read-only: choose a data folder on a writable one."
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: free some space or choose a data folder on another disk."
    case "ENOTDIR":
    case "EEXIST":
      return "A file stands where a folder is needed: move it or choose another data folder."
    default:
      return "Check the data folder or choose another."
  }
}

/** Runs a file operation. Its failure names the folder, the attempt and the remedy. */
export const onDisk = <A>(
  folder: string,
  attempted: string,
  operation: () => Promise<A>,
): Effect.Effect<A, DataFolderUnusable> =>
  Effect.tryPromise({
    try: operation,
    catch: (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      return new DataFolderUnusable({
        folder,
        message: `Cannot ${attempted} in ${folder}: ${reason}. ${advice(codeOf(cause))}`,
        cause,
      })
    },
  })

/** Awaits the operation. Returns undefined if the file or folder does not exist. */
export const ifPresent = async <A>(operation: Promise<A>): Promise<A | undefined> => {
  try {
    return await operation
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined
    throw cause
  }
}

const withHandle = async (handle: FileHandle, use: () => Promise<void>): Promise<void> => {
  try {
    await use()
  } finally {
    await handle.close()
  }
}

/** Makes a folder's entries survive a power cut. Windows cannot open folders, and need not. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === "win32") return
  const handle = await open(folder, "r")
  await withHandle(handle, () => handle.sync())
}

/** Writes a new file of mode 0600 for the given owner to disk. Fails if the file exists. */
export const writeSecretFile = async (
  file: string,
  content: string,
  owner: { readonly uid: number; readonly gid: number } | undefined,
): Promise<void> => {
  const handle = await open(file, "wx", 0o600)
  await withHandle(handle, async () => {
    await handle.writeFile(content)
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid)
    await handle.sync()
  })
}
