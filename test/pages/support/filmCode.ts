import { writeFile } from "node:fs/promises"
import QRCode from "qrcode"

/** How large the camera's picture is, and one point of the code in it, in pixels. */
const [WIDTH, HEIGHT, POINT] = [640, 480, 8]

const [WHITE, BLACK] = [235, 16]

/** Writes a film of one picture (YUV4MPEG2), a code on paper, for the browser's played camera. */
export const filmCode = async (text: string, path: string): Promise<void> => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" })
  const light = new Uint8Array(WIDTH * HEIGHT).fill(WHITE)
  const left = Math.floor((WIDTH - modules.size * POINT) / 2)
  const top = Math.floor((HEIGHT - modules.size * POINT) / 2)
  for (let y = 0; y < modules.size * POINT; y += 1) {
    for (let x = 0; x < modules.size * POINT; x += 1) {
      const isDark = modules.get(Math.floor(y / POINT), Math.floor(x / POINT)) === 1
      if (isDark) light[(top + y) * WIDTH + left + x] = BLACK
    }
  }
  const noColour = new Uint8Array((WIDTH * HEIGHT) / 2).fill(128)
  const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420mpeg2\n`
  await writeFile(path, Buffer.concat([Buffer.from(`${header}FRAME\n`), light, noColour]))
}
