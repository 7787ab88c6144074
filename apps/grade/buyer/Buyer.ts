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

/** The agent to grade, and how. */
export interface BuyerOptions {
  /** The command that starts the agent for each task; without it the agent asks for its tasks. */
  readonly command: string | undefined
  /** The port of the sandbox on loopback; 0 for a free port. */
  readonly port: number
  /** The kinds of tasks that the agent does. */
  readonly kinds: ReadonlySet<Kind>
  /** The agent's receiver of webhooks. */
  readonly receiver: URL | undefined
  /** The time limit of a task, in seconds. */
  readonly taskSeconds: number
  readonly seed: string
}

/** An agent to be graded. */
export interface Buyer {
  readonly options: BuyerOptions
  /** Plays a scenario with it, once for all checks of the scenario. */
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
      stage.close()
      await agent.close()
      await waiting.close()
      // An agent that waits for a task is told that there are no more.
      await sleep(LINGER)
      await front.close()
      await sandbox.close()
    },
  }
}
