import type { Task } from "./Task.ts"

/** What an agent reports at the end of its task; undefined if it did not end in time. */
export type Said = { readonly done: boolean; readonly text: string } | undefined

/** An agent to be graded. */
export interface Agent {
  /** Gives it a task, and waits until it reports the end, or the time is up. */
  readonly play: (task: Task) => Promise<Said>
  readonly close: () => Promise<void>
}
