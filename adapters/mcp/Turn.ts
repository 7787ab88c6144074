import type { Deadline } from "../../core/shared/CurrentDeadline.ts"
import type { Intake } from "../shared/Intake.ts"

/** A request's place among those that are served at once, and until when it is answered. */
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

  /** The time that is left, with what waiting has added to it. */
  readonly deadline: Deadline = { left: () => this.#first.left() + this.#longer }

  /** Takes a place, unless there are too many. */
  enter(): boolean {
    this.#isPlaced = this.#intake.admit()
    return this.#isPlaced
  }

  /** Counts the request to its account, unless that has its share. */
  enterAccount(account: string, authorization: string | undefined): boolean {
    if (!this.#intake.admitAccount(account, authorization)) return false
    this.#account = account
    return true
  }

  /** Gives its places back: at its end, or once it does nothing but wait. */
  leave(): void {
    if (this.#isPlaced) this.#intake.leave()
    if (this.#account !== undefined) this.#intake.leaveAccount(this.#account)
    this.#isPlaced = false
    this.#account = undefined
  }

  /** Leaves to wait for so many milliseconds, which its deadline does not count. */
  rest(millis: number): void {
    this.leave()
    this.#longer += millis
  }

  /** Calls `late` once the deadline is over, unless what it returns is called before. */
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
