import type { DrawOptions } from "../../../simulator/drawScript.ts"
import type { Frame } from "../../../simulator/live/Frame.ts"
import type { Command } from "../../../simulator/live/Control.ts"
import type { PaymentStory } from "../../../simulator/live/LiveWorld.ts"

/** What a thread is begun with. */
export interface Begin {
  readonly wish: DrawOptions
  /** Counts orders: the thread sleeps on it, and is woken when it changes. */
  readonly bell: SharedArrayBuffer
}

/** What a thread is told while its world plays, or stands still. */
export type Order =
  | { readonly type: "command"; readonly command: Command }
  /** To be answered under its number. */
  | { readonly type: "ask"; readonly ask: number; readonly question: Question }

/** What is asked of a thread. */
export type Question =
  | { readonly type: "whole" }
  | { readonly type: "story"; readonly payment: string }
  | { readonly type: "file" }

/** What a thread answers: everything that is kept, a payment's story or none, the run's file. */
export type Answer =
  | Frame
  | PaymentStory
  | { readonly type: "unknown" }
  | { readonly type: "file"; readonly text: string }

/** What a thread tells. */
export type Told =
  | Frame
  | { readonly type: "answer"; readonly ask: number; readonly answer: Answer }
  | { readonly type: "broken"; readonly message: string }
