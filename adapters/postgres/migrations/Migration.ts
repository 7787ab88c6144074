/** A step of the schema. Once released it never changes: a later step corrects it. */
export interface Migration {
  /** From 1, each higher than the one before. */
  readonly id: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
}
