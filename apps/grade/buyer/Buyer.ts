import { setTimeout as sleep } from "node:timers/promises"
import { makeChance } from "../Chance.ts"
import type { Check } from "../runChecks.ts"
import type { Agent } from "./Agent.ts"
import { type Desk, openFront } from "./Front.ts"
import { openSandbox } from "./Sandbox.ts"
import type { Played, Scenario } from "./Scenario.ts"
import { Stage } from "./Stage.ts"
import { startCommand } from "./startCommand.ts"
import type { Kind } from "./Task.ts"
import { waitForAgent } from "./waitForAgent.ts"

/** Which agent is graded, and how. */
export interface BuyerOptions {
  /** Starts the agent for each task; without it the agent asks for its tasks by itself. */
  readonly command: string | undefined
  /** Where the sandbox listens on loopback; 0 is a free port. */
  readonly port: number
  /** The kinds of tasks that the agent does. */
  readonly kinds: ReadonlySet<Kind>
  /** Where the agent takes webhooks. */
  readonly receiver: URL | undefined
  /** The longest that a task may take. */
  readonly taskSeconds: number
  readonly seed: string
}

/** An agent that is being graded. */
export interface Buyer {
  readonly options: BuyerOptions
  /** Plays a scenario with it, once for all checks that judge it. */
  readonly play: (scenario: Scenario) => Promise<Played>
  readonly close: () => Promise<void>
}

/** A check of an agent. */
export type BuyerCheck = Check<Buyer>

const LINGER = 50

/** Opens a sandbox, and the agent behind it. */
export const openBuyer = async (options: BuyerOptions, signal: AbortSignal): Promise<Buyer> => {
  const { command, port, receiver, seed, taskSeconds } = options
  const waiting = waitForAgent(taskSeconds, signal)
  const agent: Agent = command === undefined ? waiting : startCommand(command, taskSeconds, signal)
  const open: { desk: Desk | undefined; inner: string } = { desk: undefined, inner: "" }
  const front = await openFront(
    port,
    (asked, behind) => waiting.answer(asked) ?? open.desk?.(asked, behind) ?? behind(asked),
    () => open.inner,
  )
  const sandbox = await openSandbox(front.url)
  const stage = new Stage(sandbox, front.url, makeChance(seed), receiver)
  open.inner = sandbox.inner
  open.desk = stage.desk
  const played = new Map<Scenario, Promise<Played>>()
  return {
    options,
    play: (scenario) => {
      const before = played.get(scenario)
      if (before !== undefined) return before
      const now = stage.play(scenario, agent)
      played.set(scenario, now)
      return now
    },
    close: async () => {
      await agent.close()
      await waiting.close()
      // Whoever waits for a task is told that there is none any more.
      await sleep(LINGER)
      await front.close()
      await sandbox.close()
    },
  }
}
