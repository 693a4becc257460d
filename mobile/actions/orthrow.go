package actions

// An action reads what it cannot do without by the functions below and passes their error on: the action is then failed with a
// message that names the argument, what was found and what is required.

// GetBoolOrThrow gives the boolean under a key. The error has the code [StatusInvalidArguments].
func (a *Arguments) GetBoolOrThrow(key string) (value bool, err error) {
	defer containAs(&err)
	value, err = a.snapshot().Flag(valid(key))
	return value, leaving(err, StatusInvalidArguments)
}

// GetInt64OrThrow gives the whole number under a key. The error has the code [StatusInvalidArguments].
func (a *Arguments) GetInt64OrThrow(key string) (value int64, err error) {
	defer containAs(&err)
	value, err = a.snapshot().Integer(valid(key))
	return value, leaving(err, StatusInvalidArguments)
}

// GetDoubleOrThrow gives the number under a key, whole or not. The error has the code [StatusInvalidArguments].
func (a *Arguments) GetDoubleOrThrow(key string) (value float64, err error) {
	defer containAs(&err)
	value, err = a.snapshot().Number(valid(key))
	return value, leaving(err, StatusInvalidArguments)
}

// GetStringOrThrow gives the text under a key. The error has the code [StatusInvalidArguments].
func (a *Arguments) GetStringOrThrow(key string) (value string, err error) {
	defer containAs(&err)
	value, err = a.snapshot().Text(valid(key))
	return value, leaving(err, StatusInvalidArguments)
}

// GetListOrThrow gives the list under a key. The error has the code [StatusInvalidArguments].
func (a *Arguments) GetListOrThrow(key string) (value *ArgumentList, err error) {
	defer containAs(&err)
	list, err := a.snapshot().List(valid(key))
	if err != nil {
		return nil, leaving(err, StatusInvalidArguments)
	}
	return listOf(list), nil
}

// GetArgumentsOrThrow gives the arguments under a key. The error has the code [StatusInvalidArguments].
func (a *Arguments) GetArgumentsOrThrow(key string) (value *Arguments, err error) {
	defer containAs(&err)
	object, err := a.snapshot().Object(valid(key))
	if err != nil {
		return nil, leaving(err, StatusInvalidArguments)
	}
	return argumentsOf(object), nil
}
