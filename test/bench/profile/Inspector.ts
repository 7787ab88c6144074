/** The inspector's profile: the nodes of a tree of calls, and the running node at each sample. */
export interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
    }
    readonly children?: ReadonlyArray<number>
  }>
  readonly samples: ReadonlyArray<number>
  /** Microseconds between the samples. */
  readonly timeDeltas: ReadonlyArray<number>
}

interface Message {
  readonly id?: number
  readonly result?: { readonly profile?: CpuProfile }
  readonly error?: { readonly message: string }
}

/** Microseconds between samples: fine enough for shares, and too coarse to slow anything down. */
const INTERVAL = 500

/** Profiles another process over its inspector. */
export class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<
    number,
    {
      readonly resolve: (message: Message) => void
      readonly reject: (error: Error) => void
    }
  >()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as Message
      const waiting = this.#waiting.get(message.id ?? 0)
      if (waiting === undefined) return
      if (message.error === undefined) waiting.resolve(message)
      else waiting.reject(new Error(message.error.message))
    })
    socket.addEventListener("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("The inspector is gone."))
    })
  }

  static open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    return new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve(new Inspector(socket)))
      socket.addEventListener("error", () => reject(new Error(`No inspector listens on ${url}.`)))
    })
  }

  async start(): Promise<void> {
    await this.#send("Profiler.enable")
    await this.#send("Profiler.setSamplingInterval", { interval: INTERVAL })
    await this.#send("Profiler.start")
  }

  /** Ends the recording that was started, and the connection. */
  async stop(): Promise<CpuProfile> {
    const { result } = await this.#send("Profiler.stop")
    this.#socket.close()
    if (result?.profile === undefined) throw new Error("The inspector recorded nothing.")
    return result.profile
  }

  #send(method: string, params: object = {}): Promise<Message> {
    const id = (this.#last += 1)
    return new Promise<Message>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    }).finally(() => this.#waiting.delete(id))
  }
}
