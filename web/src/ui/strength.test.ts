import { describe, expect, it } from 'vitest';
import { strength } from './strength';

describe('advice on a new password', () => {
  it.each([
    ['', 'none'],
    ['short', 'short'],
    ['password', 'weak'],
    ['Passw0rd!', 'weak'],
    ['P@ssword123', 'weak'],
    ['jollibee2024', 'weak'],
    ['aaaaaaaaaaaa', 'weak'],
    ['abcdefgh', 'weak'],
    ['12345678', 'weak'],
    ['qwertyuiop', 'weak'],
    ['correct horse battery', 'good'],
    ['adobo-tricycle-7-lantern', 'good'],
    ['Kq7#vB2!xT', 'good'],
  ])('%s is %s', (password, level) => {
    expect(strength(password).level).toBe(level);
  });

  it('says how much is missing', () => {
    expect(strength('1234567').advice).toBe('1 more character.');
    expect(strength('12', 10).advice).toBe('8 more characters.');
  });

  it('does not accept what is known about its owner', () => {
    const about = ['ana.cruz@larder.example', 'Ana Cruz', 'Mabuhay Foods'];
    expect(strength('Mabuhay2024', 8, about).level).toBe('weak');
    expect(strength('cruz-1987!', 8, about).level).toBe('weak');
    expect(strength('mabuhay tricycle lantern', 8, about).level).toBe('good');
  });
});
