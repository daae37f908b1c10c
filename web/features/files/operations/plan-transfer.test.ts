import { describe, expect, it } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { parsePath } from '../../../../shared/path.ts'
import { keepBothStep, planSteps } from './plan-transfer.ts'

const item = (path: string): ResourceItem => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  size: 1,
  extension: '',
  modified: '2026-01-01T00:00:00Z',
  mode: 0,
  isDir: false,
  isSymlink: false,
  type: 'blob',
})
const there = parsePath('/there')

describe('the plan of a transfer', () => {
  it('leaves out items moved to their own place', () => {
    const steps = planSteps('move', [item('/there/a.txt'), item('/here/b.txt')], there, [])
    expect(steps.map(step => step.to)).toEqual(['/there/b.txt'])
  })

  it('numbers copies next to their originals, each name once', () => {
    const steps = planSteps('copy', [item('/there/a.txt'), item('/there/a(1).txt')], there, ['a.txt', 'a(1).txt'])
    expect(steps.map(step => step.to)).toEqual(['/there/a(2).txt', '/there/a(1)(1).txt'])
  })

  it('never replaces anything without a decision', () => {
    expect(planSteps('copy', [item('/here/a')], there, ['a'])).toMatchObject([{ to: '/there/a', decided: undefined }])
  })
})

describe('a kept copy', () => {
  it('gets a free name, each name once', () => {
    const taken = new Set(['a.txt'])
    const steps = planSteps('move', [item('/x/a.txt'), item('/y/a.txt')], there, [])
    expect(steps.map(step => keepBothStep(step, taken).to)).toEqual(['/there/a(1).txt', '/there/a(2).txt'])
  })
})
