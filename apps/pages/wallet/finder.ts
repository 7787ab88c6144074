import type * as Scan from "../scan/main.ts"

/** The longer sides of the scaled copies of a picture that are scanned, in pixels. */
const SIDES = [1000, 500, 2000]

/** How often a picture of the camera is scanned, in milliseconds. */
const LOOK_EVERY = 150

/** Returns a copy of a picture, with at most this size. */
const copyOf = (source: CanvasImageSource, width: number, height: number, side: number) => {
  const scale = Math.min(1, side / Math.max(width, height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext("2d", { willReadFrequently: true })
  if (context === null) return undefined
  // Transparent parts of a picture become white, like paper.
  context.fillStyle = "#fff"
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

/** Opens a scanned code as if its link had been pasted. */
const open = (text: string): void => {
  const field = document.querySelector<HTMLInputElement>("#code")
  if (field === null) return
  field.value = text
  field.form?.requestSubmit()
}

/** Reads codes from pictures and the camera; the decoder is loaded when it is first needed. */
class Finder {
  readonly #box: HTMLElement
  readonly #video: HTMLVideoElement
  readonly #button: HTMLButtonElement
  readonly #labels: { readonly start: string; readonly stop: string }
  #stream: MediaStream | undefined

  constructor(box: HTMLElement, video: HTMLVideoElement, button: HTMLButtonElement) {
    this.#box = box
    this.#video = video
    this.#button = button
    this.#labels = { start: button.textContent, stop: button.dataset["stop"] ?? "" }
  }

  /** Shows the available functions, and runs them on request. */
  offer(): void {
    const toggle = () => void (this.#stream ? this.#stop() : this.#start())
    this.#button.addEventListener("click", toggle)
    const picture = this.#box.querySelector<HTMLInputElement>("[data-picture]")
    picture?.addEventListener("change", () => {
      const [file] = picture.files ?? []
      if (file !== undefined) void this.#read(file)
      picture.value = ""
    })
    addEventListener("pagehide", () => this.#stop())
    this.#box.hidden = false
  }

  #reader = async (): Promise<typeof Scan> =>
    (await import(this.#box.dataset["finder"] ?? "")) as typeof Scan

  /** Shows an error: `code` if a picture has no code, `camera` if there is no camera. */
  #complain(flaw: "code" | "camera" | undefined): void {
    const place = this.#box.querySelector<HTMLElement>("[data-flaw]")
    if (place !== null) place.textContent = flaw === undefined ? "" : (place.dataset[flaw] ?? "")
  }

  async #read(file: File): Promise<void> {
    this.#complain(undefined)
    try {
      const [{ readCode }, picture] = await Promise.all([this.#reader(), createImageBitmap(file)])
      for (const side of SIDES) {
        const copy = copyOf(picture, picture.width, picture.height, side)
        const text = copy && readCode(copy)
        if (text !== undefined) return open(text)
      }
      this.#complain("code")
    } catch {
      this.#complain("code")
    }
  }

  async #start(): Promise<void> {
    this.#complain(undefined)
    try {
      const [{ readCode }, stream] = await Promise.all([
        this.#reader(),
        navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }),
      ])
      this.#stream = stream
      this.#show(true)
      this.#video.srcObject = stream
      await this.#video.play()
      this.#look(readCode, stream)
    } catch {
      this.#stop()
      this.#complain("camera")
    }
  }

  #look(readCode: typeof Scan.readCode, stream: MediaStream): void {
    if (this.#stream !== stream) return
    const { videoHeight, videoWidth } = this.#video
    const copy = videoWidth > 0 ? copyOf(this.#video, videoWidth, videoHeight, 640) : undefined
    const text = copy && readCode(copy)
    if (text === undefined || text === "") {
      setTimeout(() => this.#look(readCode, stream), LOOK_EVERY)
      return
    }
    this.#stop()
    open(text)
  }

  #show(isOn: boolean): void {
    this.#video.hidden = !isOn
    this.#button.textContent = isOn ? this.#labels.stop : this.#labels.start
    const aim = this.#box.querySelector<HTMLElement>("[data-aim]")
    if (aim !== null) aim.hidden = !isOn
  }

  #stop(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop()
    this.#stream = undefined
    this.#video.srcObject = null
    this.#show(false)
  }
}

/** Lets the page read pictures and the camera, if it has a place for them. */
export const startFinder = (): void => {
  const box = document.querySelector<HTMLElement>("[data-finder]")
  const video = box?.querySelector("video")
  const button = box?.querySelector<HTMLButtonElement>("button[data-camera]")
  if (box && video && button) new Finder(box, video, button).offer()
}
