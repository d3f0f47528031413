package profile

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormOfSpelledDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Form{
		"October 03, 2021":                     FormLongDate,
		"3. Oktober 2021":                      FormLongDate,
		"3 de octubre de 2021":                 FormLongDate,
		"Oct 3, 2021, 10:05 PM":                FormLongDate,
		"Mittwoch, 3. März 2021, 14:05 Uhr":    FormLongDate,
		"Monday 3rd of May 2021 at 9:00 am":    FormLongDate,
		"Mon Oct 04 2021 10:00:00 GMT +0200":   FormLongDate,
		"03-10-2021, 14:05 p. m.":              FormLocalDateTime,
		"1/31/2026 10:00:00":                   FormLocalDateTime,
		"31.01.2026, 10:00":                    FormLocalDateTime,
		"31.1.26":                              FormSlashDate,
		"03-10-2021":                           FormSlashDate,
		"2021/10/03":                           FormSlashDate,
		"1/31/2026":                            FormSlashDate,
		"14:05":                                FormTime,
		"9:30 PM":                              FormTime,
		"09:30:15.250":                         FormTime,
		"Sat, 31 Jan 2026 10:00:00 GMT":        FormRFC1123,
		"Sat, 31 Jan 2026":                     FormLongDate,
		"Sat, 3 Jan 2026":                      FormLongDate,
		"Yes, 20 of us will":                   FormText,
		"2026-01-31":                           FormDate,
		"1.20.4011":                            FormToken,
		"10.0.19044":                           FormToken,
		"555-12-3456":                          FormToken,
		"12-34-5678":                           FormToken,
		"May":                                  FormWord,
		"May 2021 report":                      FormText,
		"in 2021":                              FormText,
		"may 5":                                FormText,
		"3 of 10":                              FormText,
		"16:9":                                 FormToken,
		"99:99":                                FormToken,
		"10:5":                                 FormToken,
		"The 3rd of May 2021 was a rainy day.": FormText,
	} {
		assert.Equal(t, want.String(), FormOf([]byte(text)).String(), text)
	}
}
