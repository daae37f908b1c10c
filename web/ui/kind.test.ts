import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../../shared/api/resources.ts'
import { kindOf } from './kind.ts'

const file = (type: ResourceType, extension: string) => kindOf({ isDir: false, type, extension })

describe('the icon of a file', () => {
  it('is a folder for folders, whatever their name', () => {
    expect(kindOf({ isDir: true, type: '', extension: '.zip' })).toBe('folder')
  })

  it('follows the content type from the server', () => {
    expect(file('image', '.bin')).toBe('image')
    expect(file('pdf', '')).toBe('pdf')
    expect(file('invalid_link', '.txt')).toBe('link')
  })

  it('uses the extension of texts and unknown content, in any case', () => {
    expect(file('text', '.TS')).toBe('code')
    expect(file('text', '.csv')).toBe('sheet')
    expect(file('blob', '.tar')).toBe('archive')
    expect(file('blob', '.docx')).toBe('doc')
  })

  it('is generic when nothing is known', () => {
    expect(file('blob', '')).toBe('file')
    expect(file('textImmutable', '.unknown')).toBe('text')
  })
})
