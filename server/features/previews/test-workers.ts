import { spawnSync } from 'node:child_process'

/** Process ids of the preview processes of another process. */
export function workersOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)])
  const lines = stdout.toString().split('\n')
  return lines.filter(line => /previews[/-]worker/.test(line)).map(line => Number.parseInt(line, 10))
}
