interface AnyStep {
  readonly id: number
  readonly name: string
  /**
   * The earliest last step of other processes that go on working during this step and after it. The
   * step removes nothing that they read or write. Older releases must be stopped first: the step is
   * refused while they run.
   */
  readonly beside: number
}

/** A step whose statements run in one transaction. Its locks are held to the end. */
export interface StepInTransaction extends AnyStep {
  readonly statements: ReadonlyArray<string>
}

/** A part of a step that runs while others write, outside of a transaction. */
export type OnlinePart =
  | {
      readonly index: string
      readonly on: string
      readonly isUnique?: true
      /** What follows the table's name in `CREATE INDEX`. */
      readonly as: string
    }
  /** The name of a CHECK that an earlier step has added with `NOT VALID`. */
  | { readonly rule: string; readonly on: string }

/**
 * A step that keeps no writer waiting, however large its tables are. A crash may leave it half
 * done: what is there is kept when the step is tried again.
 */
interface OnlineStep extends AnyStep {
  readonly online: ReadonlyArray<OnlinePart>
}

/** A step of the schema. */
export type Step = StepInTransaction | OnlineStep

/** All steps, in order. The first one makes a new database in its newest form. */
export type Steps = readonly [StepInTransaction, ...ReadonlyArray<Step>]

/** Returns the statement that makes an index, with `how` before its name. */
export const creating = (part: Extract<OnlinePart, { readonly index: string }>, how: string) =>
  `CREATE ${part.isUnique === true ? "UNIQUE " : ""}INDEX ${how}${part.index}
    ON payport.${part.on} ${part.as}`

/** Returns the statement that checks the rows from before a rule. */
export const validating = ({ on, rule }: Extract<OnlinePart, { readonly rule: string }>): string =>
  `ALTER TABLE payport.${on} VALIDATE CONSTRAINT ${rule}`

const atOnce = (part: OnlinePart): ReadonlyArray<string> =>
  "rule" in part
    ? [validating(part)]
    : [`DROP INDEX IF EXISTS payport.${part.index}`, creating(part, "")]

/** Returns the statements of a step for one transaction, in which writers wait for an index. */
export const inOneTransaction = (step: Step): ReadonlyArray<string> =>
  "online" in step ? step.online.flatMap(atOnce) : step.statements
