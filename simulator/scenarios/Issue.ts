/** A place in a file: the names of fields and the positions in lists. */
export type Path = ReadonlyArray<string>

/** A mistake in a file, with its place. */
export interface Issue {
  readonly path: Path
  readonly message: string
}

/** Whether it is an object with fields, and not a list. */
export const isObject = (data: unknown): data is { readonly [field: string]: unknown } =>
  typeof data === "object" && data !== null && !Array.isArray(data)
