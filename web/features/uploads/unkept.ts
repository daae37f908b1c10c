import { reportKept } from '../files/api/unkept.ts'

let unkept: string[] = []

/** Notes the response to a file that has arrived: the earlier content of a replaced one may not have been kept. */
export function noteKept(headers: Headers, path: string): void {
  if (headers.get('X-Kept') === 'no') unkept.push(path)
}

/** Notifies the user at the end of a run, once for all files. */
export function reportUnkept(): void {
  for (const path of unkept) reportKept('no', path)
  unkept = []
}
