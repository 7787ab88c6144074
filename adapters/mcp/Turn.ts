import type { Deadline } from "../../core/shared/CurrentDeadline.ts"
import type { Intake } from "../shared/Intake.ts"

/** A request's place among those in progress, and its deadline. */
export class Turn {
  readonly #intake: Intake
  readonly #first: Deadline
  #longer = 0
  #isPlaced = false
  #account: string | undefined

  constructor(intake: Intake, began: number) {
    this.#intake = intake
    this.#first = intake.deadline(began)
  }

  /** The remaining time, extended by the time of waiting. */
  readonly deadline: Deadline = { left: () => this.#first.left() + this.#longer }

  /** Takes a place. Returns false if there are too many requests. */
  enter(): boolean {
    this.#isPlaced = this.#intake.admit()
    return this.#isPlaced
  }

  /** Counts the request against its account. Returns false if the account has its share. */
  enterAccount(account: string, authorization: string | undefined): boolean {
    if (!this.#intake.admitAccount(account, authorization)) return false
    this.#account = account
    return true
  }

  /** Releases its places: at its end, or while it only waits. */
  leave(): void {
    if (this.#isPlaced) this.#intake.leave()
    if (this.#account !== undefined) this.#intake.leaveAccount(this.#account)
    this.#isPlaced = false
    this.#account = undefined
  }

  /** Releases its places for a wait of so many milliseconds, which extends its deadline. */
  rest(millis: number): void {
    this.leave()
    this.#longer += millis
  }

  /** Calls `late` once the deadline has passed, unless the returned function is called before. */
  afterwards(late: () => void): () => void {
    let stop = () => {}
    const arm = () => {
      stop = this.#intake.afterwards(this.deadline, () => {
        if (this.deadline.left() > 0) arm()
        else late()
      })
    }
    arm()
    return () => stop()
  }
}
