package world

// installationFacts are those of synthetic installations.
type installationFacts struct {
	w     *World
	scope Scope
}

var _ InstallationFacts[Fact] = installationFacts{}

func noInstallation(r *Row) bool { return r.Installation < 0 }

func (f installationFacts) InstallationID() Fact {
	return Fact{Hints: Hints{DependsOn: OnRecipient}, Absent: noInstallation, Width: uuidWidth, Text: func(dst []byte, r *Row) []byte {
		return appendUUID(dst, f.w.keys.installation, uint64(r.Installation))
	}}
}

func (f installationFacts) AdvertisingID() Fact {
	return Fact{
		Absent: func(r *Row) bool { return r.Installation < 0 || !f.w.hasAdvertisingID(r.Installation) },
		Width:  uuidWidth,
		Text: func(dst []byte, r *Row) []byte {
			return appendUUID(dst, f.w.keys.advertising, uint64(r.Installation))
		},
		Hints: Hints{DependsOn: OnRecipient, Optional: func(dst []byte, r *Row) []byte {
			if salt := saltOf(uint64(r.Installation)); r.Installation >= 0 && f.w.advertisedBy(salt) {
				return appendSaltedUUID(dst, f.w.keys.advertising, salt)
			}
			return dst
		}},
	}
}

func (f installationFacts) Platform() Fact {
	return Fact{Absent: noInstallation, Names: platformNames, Choice: func(r *Row) int { return f.w.platformOf(r.Installation) }}
}

func (f installationFacts) InstallDate() Fact {
	return Fact{Absent: noInstallation, Time: f.w.installation}
}

func (f installationFacts) LastStartDate() Fact {
	return Fact{Absent: noInstallation, Time: f.w.startsIn(f.scope).ofRow}
}

func (f installationFacts) SmartSegment() Fact {
	return Fact{Absent: noInstallation, Names: smartSegments, Choice: f.w.startsIn(f.scope).smartSegmentOf}
}

func (f installationFacts) IsOptIn() Fact { return f.flag(changeOptIn) }

func (f installationFacts) IsReachable() Fact { return f.flag(changeReachable) }

func (f installationFacts) flag(kind changeKind) Fact {
	return Fact{Absent: noInstallation, Flag: func(r *Row) bool { return f.w.state(kind, r.Installation, r) }}
}

func (f installationFacts) HasCustomID() Fact {
	return Fact{Absent: noInstallation, Flag: f.w.isLinked}
}

// isLinked reports whether an installation is linked to a profile with a custom
// identifier at the time of the row.
func (w *World) isLinked(r *Row) bool {
	return w.hasCustomID(r.Profile) && w.state(changeLinked, r.Installation, r)
}
