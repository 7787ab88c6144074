import type { DrawOptions } from "../../../simulator/drawScript.ts"
import type { Frame } from "../../../simulator/live/Frame.ts"
import type { Command } from "../../../simulator/live/Control.ts"
import type { PaymentStory } from "../../../simulator/live/LiveWorld.ts"

/** The data with which a thread is started. */
export interface Begin {
  readonly wish: DrawOptions
  /** Counts orders: the thread sleeps on it, and wakes when it changes. */
  readonly bell: SharedArrayBuffer
}

/** An order to a thread while its world plays or is paused. */
export type Order =
  | { readonly type: "command"; readonly command: Command }
  /** A question, answered under its number. */
  | { readonly type: "ask"; readonly ask: number; readonly question: Question }

/** A question to a thread. */
export type Question =
  | { readonly type: "whole" }
  | { readonly type: "story"; readonly payment: string }
  | { readonly type: "file" }

/** A thread's answer: the whole state, a payment's story or none, or the run's file. */
export type Answer =
  | Frame
  | PaymentStory
  | { readonly type: "unknown" }
  | { readonly type: "file"; readonly text: string }

/** A message of a thread. */
export type Told =
  | Frame
  | { readonly type: "answer"; readonly ask: number; readonly answer: Answer }
  | { readonly type: "broken"; readonly message: string }
