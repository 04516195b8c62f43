def mend(failed):
    return {"log": [failed["error"]["message"]]}
