import { Data, Result } from "effect"

type Known<From> = { [K in keyof From]-?: undefined extends From[K] ? never : K }[keyof From]

/** The facts of `To` that `From` does not have: a move has to supply them. */
type Added<From, To> = { readonly [K in keyof To as K extends Known<From> ? never : K]: To[K] }

/** A record in one of the states of `F`, with exactly the facts of that state. */
export type InState<F> = { [S in keyof F]: { readonly status: S } & Readonly<F[S]> }[keyof F]

/** One legal move. `set` supplies the target's new facts, `drop` names those that end. */
export type Row<F, From extends keyof F, Event, Emit> = {
  [To in keyof F]: {
    readonly to: To
    readonly set: (
      event: Event,
    ) => [To, From] extends [From, To] ? Partial<F[To]> : Added<F[From], F[To]>
    readonly drop?: ReadonlyArray<Exclude<keyof F[From], keyof F[To]>>
    readonly emit?: Emit
  }
}[keyof F]

/** from → event → move. A move without a row is illegal. */
export type Table<F, Event extends { readonly type: string }, Emit> = {
  readonly [From in keyof F]: {
    readonly [Type in Event["type"]]?: Row<F, From, Extract<Event, { type: Type }>, Emit>
  }
}

/** A move that the table does not have. */
export class InvalidTransition extends Data.TaggedError("InvalidTransition")<{
  readonly from: string
  readonly event: string
}> {}

/** The outcome of a legal move: the record in its new state and the events of the move. */
export interface Moved<Record, Emit> {
  readonly record: Record
  readonly emit: ReadonlyArray<Emit>
}

interface AnyRow<Emit> {
  readonly to: string
  readonly set: (event: unknown) => object
  readonly drop?: ReadonlyArray<string>
  readonly emit?: Emit
}

/**
 * Builds a state machine from its table. `Common` is the fields of a record in every state. `step`
 * makes one move. `walk` makes several in order and stops at the first illegal one.
 */
export const make = <
  Common,
  F extends { readonly [S in keyof F]: object },
  Event extends { readonly type: string },
  Emit extends string,
>(
  table: Table<F, Event, Emit>,
) => {
  type Record = Common & InState<F>
  const rows = table as unknown as { [from: string]: { [event: string]: AnyRow<Emit> | undefined } }

  const step = (
    record: Record,
    event: Event,
  ): Result.Result<Moved<Record, Emit>, InvalidTransition> => {
    const from = record.status as string
    const row = rows[from]?.[event.type]
    if (row === undefined) return Result.fail(new InvalidTransition({ from, event: event.type }))
    const next: { [field: string]: unknown } = { ...record, ...row.set(event), status: row.to }
    for (const field of row.drop ?? []) delete next[field]
    return Result.succeed({
      record: next as unknown as Record,
      emit: row.emit === undefined ? [] : [row.emit],
    })
  }

  const walk = (
    record: Record,
    events: ReadonlyArray<Event>,
  ): Result.Result<Moved<Record, Emit>, InvalidTransition> => {
    let moved: Moved<Record, Emit> = { record, emit: [] }
    for (const event of events) {
      const next = step(moved.record, event)
      if (Result.isFailure(next)) return Result.fail(next.failure)
      moved = { record: next.success.record, emit: [...moved.emit, ...next.success.emit] }
    }
    return Result.succeed(moved)
  }

  const can = (record: Record, type: Event["type"]): boolean =>
    rows[record.status as string]?.[type] !== undefined

  return { table, step, walk, can }
}

/** Returns no facts: the `set` of a move that adds none. */
export const nothing = (): object => ({})

/** Returns the moves of a table as data, for diagrams and for exhaustive tests. */
export const edges = <F, Event extends { readonly type: string }, Emit extends string>(
  table: Table<F, Event, Emit>,
): ReadonlyArray<{ readonly from: string; readonly event: string; readonly to: string }> =>
  Object.entries(table).flatMap(([from, moves]) =>
    Object.entries(moves as { [event: string]: { to: string } | undefined }).flatMap(
      ([event, row]) => (row === undefined ? [] : [{ from, event, to: row.to }]),
    ),
  )
