/** Writes a line of figures past the reporters of the test runner. */
export const tell = (line: string): void => void process.stdout.write(`${line}\n`)
