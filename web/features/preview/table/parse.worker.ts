import { type Cells, parseCells } from './parse.ts'

self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  const cells: Cells = parseCells(data)
  self.postMessage(cells, { transfer: [cells.ends.buffer, cells.rows.buffer] })
})
