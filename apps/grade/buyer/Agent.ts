import type { Task } from "./Task.ts"

/** What an agent says of its task at its end: undefined where it did not end in time. */
export type Said = { readonly done: boolean; readonly text: string } | undefined

/** An agent that is being graded. */
export interface Agent {
  /** Gives it a task, and waits until it says that it is done or not, or the time is up. */
  readonly play: (task: Task) => Promise<Said>
  readonly close: () => Promise<void>
}
