import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countO200k } from '../../providers/tokenizer/count-o200k.ts';
import { estimateCharacters } from './estimate-characters.ts';

const texts = {
  english: 'Today we discussed the plan for migrating the database, and decided to run it in the test environment.',
  german: 'Heute haben wir über die Umstellung der Datenbank gesprochen und größere Änderungen verschoben.',
  chinese: '今天我们讨论了数据库迁移的方案，决定先在测试环境里运行一周，然后再切换到生产环境。',
  japanese: '今日はデータベースの移行について話し合いました。まずテスト環境で一週間動かします。',
  korean: '오늘 우리는 데이터베이스 이전 계획을 논의했고 먼저 테스트 환경에서 운영하기로 했습니다.',
  emoji: '😀😃😄👍🏽👩‍👩‍👧‍👦🇨🇳🚀🔥✨❤️🎉🤔🙏🏿',
  thai: 'วันนี้เราได้พูดคุยเกี่ยวกับแผนการย้ายฐานข้อมูลและตัดสินใจว่าจะทดสอบก่อนหนึ่งสัปดาห์',
  hindi: 'आज हमने डेटाबेस माइग्रेशन की योजना पर चर्चा की और पहले परीक्षण करने का निर्णय लिया।',
  arabic: 'ناقشنا اليوم خطة ترحيل قاعدة البيانات وقررنا تشغيلها في بيئة الاختبار لمدة أسبوع أولا.',
  russian: 'Сегодня мы обсудили план миграции базы данных и решили сначала проверить его в тестовой среде.',
  greek: 'Σήμερα συζητήσαμε το σχέδιο μετάβασης της βάσης δεδομένων και αποφασίσαμε να το δοκιμάσουμε.',
  code: 'for (const x of list) {\n  if (x?.y !== null) await go(x.y, { z: [1, 2] });\n}\n',
  json: '{"id":"8f14e45f-ceea-467f-9f1c-2f3a","items":[{"k":1.25,"ok":true},{"k":-3,"ok":null}],"ts":1795993407427}',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4GkJ3w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  hex: '8f14e45fceea467f9f1c2f3ad41d8cd98f00b204e9800998ecf8427e2b66fd261ee5c6cfc8de7fa466bab600',
};

describe('estimateCharacters', () => {
  it.each(Object.entries(texts))('S37: is between the tokenizer’s count and 2.6 times it: %s', (_, text) => {
    const ratio = estimateCharacters(text) / countO200k(text);
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThanOrEqual(2.6);
  });

  it('is 0 for nothing, and grows with the text', () => {
    expect(estimateCharacters('')).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (start, end) => {
        expect(estimateCharacters(start + end)).toBeGreaterThanOrEqual(estimateCharacters(start));
      }),
    );
  });
});
